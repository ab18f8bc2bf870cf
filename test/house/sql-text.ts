// The SQL in TypeScript sources: texts put together from literals, templates and constants, and which of them write a column of a table.
import { parseSync } from 'vite'
import { lineAt } from './source-text.ts'

export interface SourceFile {
  path: string
  source: string
}

/** A statement that writes the column, makes rows, or may do either because a part of it is not written in any source. */
export interface Write {
  path: string
  line: number
  /** `hidden`: its table or its columns come from the running program. */
  kind: 'update' | 'insert' | 'replace' | 'hidden'
  sql: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** By their names: what constants of a file, or those that it may import, hold. One name may stand for several. */
type Constants = ReadonlyMap<string, readonly Node[]>

interface Context {
  constants: Constants
  /** Texts of expressions that were read already. */
  known: Map<Node, string[]>
}

/** Stands in a text for a part that only the running program knows. */
const HOLE = '\u0000'
/** A text without these words writes nothing, nor does its half of a statement. */
const WRITES = /\b(?:update|insert|replace|set)\b/i
/** So many texts are made of one expression whose constants have several values. */
const MOST_TEXTS = 16

/** Every statement of these files that writes `column` of `table`, or that may. */
export function writesOf(files: readonly SourceFile[], target: { table: string; column: string }): Write[] {
  const parsed = files.map(({ path, source }) => ({ path, source, program: parse(path, source) }))
  const shared = constantsIn(parsed.flatMap(({ program }) => nodesOf(program).flatMap(exportedConstants)))
  return parsed.flatMap(({ path, source, program }) => {
    const texts = textsIn(program).filter((node) => WRITES.test(source.slice(node.start, node.end)))
    if (texts.length === 0) return []
    const constants = new Map([...shared, ...constantsIn(nodesOf(program))])
    const known = new Map<Node, string[]>()
    return texts.flatMap((node) => {
      const found = valuesOf(node, { constants, known }).flatMap((text) => writesIn(text, target))
      const line = lineAt(source, node.start)
      return found.filter(isFirst).map(({ kind, sql }) => ({ path, line, kind, sql }))
    })
  })
}

/** Not what stands within an exported function. */
function exportedConstants({ type, declaration }: Node): Node[] {
  const isConstant =
    type === 'ExportNamedDeclaration' && isNode(declaration) && declaration.type === 'VariableDeclaration'
  return isConstant ? childrenOf(declaration) : []
}

function constantsIn(nodes: readonly Node[]): Constants {
  const constants = new Map<string, Node[]>()
  for (const node of nodes) {
    const { name, value } = constantOf(node)
    if (name !== null && value !== null) constants.set(name, [...(constants.get(name) ?? []), value])
  }
  return constants
}

function isFirst({ kind, sql }: { kind: string; sql: string }, index: number, all: { kind: string; sql: string }[]) {
  return all.findIndex((it) => it.kind === kind && it.sql === sql) === index
}

function parse(path: string, source: string): Node {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return program as unknown as Node
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

function nodesOf(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)]
}

/** `const name = ...`, a field of a class, or a property of an object. */
function constantOf(node: Node): { name: string | null; value: Node | null } {
  const id = node.type === 'VariableDeclarator' ? node['id'] : node['key']
  const value = node.type === 'VariableDeclarator' ? node['init'] : node['value']
  const isDeclared = ['VariableDeclarator', 'PropertyDefinition', 'Property'].includes(node.type)
  return isDeclared && isNode(id) && isNode(value) ? { name: nameOf(id), value } : { name: null, value: null }
}

function nameOf(node: Node): string | null {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return String(node['name'])
  return node.type === 'MemberExpression' && isNode(node['property']) ? nameOf(node['property']) : null
}

const isText = (node: Node): boolean => node.type === 'Literal' && typeof node['value'] === 'string'

function isMade(node: Node): boolean {
  return isText(node) || node.type === 'TemplateLiteral' || isSum(node) || isJoin(node)
}

function isSum(node: Node): boolean {
  return node.type === 'BinaryExpression' && node['operator'] === '+'
}

/** `[...].join(...)`. */
function isJoin({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false
  return isNode(callee['object']) && callee['object'].type === 'ArrayExpression' && nameOf(callee) === 'join'
}

/** The largest expressions that make a text, and those within what they do not tell. */
function textsIn(node: Node): Node[] {
  if (!isMade(node)) return childrenOf(node).flatMap(textsIn)
  const inner = isText(node) || isSum(node) || isJoin(node) ? [] : childrenOf(node)
  return [node, ...inner.flatMap(textsIn)]
}

/** Its possible texts, at most `MOST_TEXTS`, with a hole for each part that no source tells. */
function valuesOf(node: Node, context: Context): string[] {
  const known = context.known.get(node)
  if (known) return known
  // Until it is read: what stands for itself tells nothing.
  context.known.set(node, [HOLE])
  const values = [...new Set(readValues(node, context))].slice(0, MOST_TEXTS)
  context.known.set(node, values)
  return values
}

function readValues(node: Node, context: Context): string[] {
  const of = (part: unknown) => (isNode(part) ? valuesOf(part, context) : [HOLE])
  if (isText(node)) return [String(node['value'])]
  if (['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression'].includes(node.type))
    return of(node['expression'])
  if (node.type === 'ConditionalExpression') return [...of(node['consequent']), ...of(node['alternate'])]
  if (node.type === 'TemplateLiteral') return product(templateParts(node).map(of), '')
  if (isSum(node)) return product([of(node['left']), of(node['right'])], '')
  if (isJoin(node)) {
    const { object } = node['callee'] as { object: Node }
    const [glue] = node['arguments'] as Node[]
    return product((object['elements'] as Node[]).map(of), glue && isText(glue) ? String(glue['value']) : ',')
  }
  const meant = context.constants.get(nameOf(node) ?? '') ?? []
  return meant.length === 0 ? [HOLE] : meant.flatMap(of)
}

function templateParts(node: Node): Node[] {
  const holes = node['expressions'] as Node[]
  const texts = node['quasis'] as { value: { cooked: string }; start: number }[]
  return texts.flatMap(({ value, start }, index) => {
    const text: Node = { type: 'Literal', start, end: start, value: value.cooked }
    const hole = holes[index]
    return hole ? [text, hole] : [text]
  })
}

function product(parts: readonly string[][], glue: string): string[] {
  return parts.reduce<string[]>(
    (before, values, index) =>
      before.flatMap((head) => values.map((it) => (index === 0 ? it : head + glue + it))).slice(0, MOST_TEXTS),
    [''],
  )
}

const NAME = String.raw`(?:main\s*\.\s*)?["\`[]?([\w${HOLE}]+)["\`\]]?`
const UPDATE = new RegExp(
  String.raw`\bupdate\s+(?:or\s+\w+\s+)?${NAME}(?:\s+as\s+\w+|\s+(?!set\b)\w+)?\s*(?:set\b|(?=${HOLE}|$))`,
  'g',
)
const INSERT = new RegExp(String.raw`\b(insert|replace)\s+(?:or\s+(\w+)\s+)?into\s+${NAME}`, 'g')
const UPSERT = /\bon\s+conflict\b[^;]*?\bdo\s+update\s+set\b/g
/** What follows the assignments of an update. */
const AFTER_ASSIGNMENTS = /\bwhere\b|\bfrom\b|\breturning\b|;|$/

function writesIn(text: string, { table, column }: { table: string; column: string }): Pick<Write, 'kind' | 'sql'>[] {
  const sql = text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()
  const updates = [...sql.matchAll(UPDATE)].flatMap(({ 0: head, 1: name = '', index }) => {
    const kind = kindOfUpdate(assignmentsAfter(sql, index + head.length), column)
    if (name.includes(HOLE)) return kind === null ? [] : ['hidden' as const]
    return name === table && kind !== null ? [kind] : []
  })
  const inserts = [...sql.matchAll(INSERT)].flatMap(({ 1: verb, 2: or, 3: name = '' }) => {
    if (name.includes(HOLE)) return ['hidden' as const]
    if (name !== table) return []
    const upserts = [...sql.matchAll(UPSERT)].map(({ 0: head, index }) => assignmentsAfter(sql, index + head.length))
    if (verb === 'replace' || or === 'replace') return ['replace' as const]
    return ['insert' as const, ...upserts.flatMap((assignments) => kindOfUpdate(assignments, column) ?? [])]
  })
  return [...updates, ...inserts].map((kind) => ({ kind, sql: sql.replaceAll(HOLE, '\u2026').trim() }))
}

function assignmentsAfter(sql: string, from: number): string {
  const rest = sql.slice(from)
  return rest.slice(0, AFTER_ASSIGNMENTS.exec(rest)?.index)
}

/** Null: the column is not among what is set. */
function kindOfUpdate(assignments: string, column: string): 'update' | 'hidden' | null {
  const outside = withoutBrackets(assignments)
  const targets = outside.split(',').map((it) => it.split('=')[0]?.trim() ?? '')
  const rows = [...assignments.matchAll(/\(([^()]*)\)\s*=/g)].flatMap(([, names = '']) => names.split(','))
  const names = [...targets, ...rows].map((it) => it.replace(/["`[\]]/g, '').trim())
  if (names.includes(column)) return 'update'
  return names.some((it) => it.includes(HOLE) || it === '') && rows.length === 0 ? 'hidden' : null
}

function withoutBrackets(text: string): string {
  const inner = text.replace(/\([^()]*\)/g, '')
  return inner === text ? text : withoutBrackets(inner)
}
