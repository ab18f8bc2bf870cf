// Draws lines over time with uPlot. A chunk of its own: only pages with a chart load it.
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface CanvasLine {
  values: readonly (number | null)[]
  /** A CSS colour. */
  colour: string
  isDashed: boolean
  /** The space below it is tinted. */
  isFilled: boolean
}

export interface ChartData {
  /** Epoch ms of each point, rising. */
  times: readonly number[]
  lines: readonly CanvasLine[]
  /** Words below the points, of the times that the axis chooses. */
  timeWords: (ms: number) => string
  valueWords: (value: number) => string
  /** CSS colours of words and of the grid. */
  ink: string
  grid: string
}

export interface DrawnChart {
  /** Puts the cursor on this point. */
  point: (index: number) => void
  resize: (width: number) => void
  remove: () => void
}

const HEIGHT = 240
const SECOND_MS = 1_000

/** @param hovered the point under the mouse; null: it has left */
export function drawChart(at: HTMLElement, data: ChartData, hovered: (index: number | null) => void): DrawnChart {
  const { times, lines, timeWords, valueWords, ink, grid } = data
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid }, font: '12px system-ui' }
  const plot = new UPlot(
    {
      width: Math.max(200, at.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { x: { time: true }, y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] } },
      axes: [
        { ...axis, values: (_plot, ticks) => ticks.map((seconds) => timeWords(seconds * SECOND_MS)) },
        { ...axis, size: 72, values: (_plot, ticks) => ticks.map(valueWords) },
      ],
      series: [
        {},
        ...lines.map(({ values, colour, isDashed, isFilled }) => ({
          stroke: colour,
          width: 2,
          spanGaps: false,
          // A line of one point, such as on the first day of a month, would not be seen.
          points: { show: values.filter((value) => value !== null).length === 1, size: 8, fill: colour },
          ...(isDashed ? { dash: [6, 5] } : {}),
          ...(isFilled ? { fill: `color-mix(in srgb, ${colour} 12%, transparent)` } : {}),
        })),
      ],
      hooks: {
        setCursor: [
          // Only what a mouse did: the keyboard's own step comes here, too.
          (self) => {
            if (self.cursor.event) hovered(self.cursor.idx ?? null)
          },
        ],
      },
    },
    [times.map((ms) => ms / SECOND_MS), ...lines.map(({ values }) => [...values])],
    at,
  )
  return {
    point(index) {
      const seconds = plot.data[0][index]
      if (seconds === undefined) return
      plot.setCursor({ left: plot.valToPos(seconds, 'x'), top: 0 })
    },
    resize: (width) => plot.setSize({ width: Math.max(200, width), height: HEIGHT }),
    remove: () => plot.destroy(),
  }
}
