// courses: which courses of which orders wait to be fired, and firing one.
import { LineError, word } from '#shared/cli/command.ts'
import { table } from '#shared/cli/terminal.ts'
import { type Command, EXIT } from './command.ts'

export const courseCommands: readonly Command[] = [
  {
    name: 'courses list',
    usage: '',
    summary: 'List the courses that are held until they are fired',
    options: {},
    examples: [''],
    run: async (line) => {
      const held = await line.call('courses.list', {})
      const rows = held.map(({ number, course, items }) => [number, course, items.join(', ')])
      return { data: held, text: table(['order', 'course', 'items'], rows, 'No course is held.') }
    },
  },
  {
    name: 'courses fire',
    usage: '<order> <course>',
    summary: 'Print a held course now, at its stations, marked FIRE',
    options: {},
    examples: ['42 2'],
    run: async (line) => {
      const course = word(line, 1)
      if (!/^\d{1,2}$/.test(course)) throw new LineError('the course must be a whole number', EXIT.usage)
      const done = await line.call('courses.fire', { order: word(line, 0), course: Number(course) })
      const words =
        done.outcome === 'done' ? 'is fired: its tickets print now.' : 'was fired before: nothing prints again.'
      return { data: done, text: `Course ${done.course} of order ${done.order} ${words}` }
    },
  },
]
