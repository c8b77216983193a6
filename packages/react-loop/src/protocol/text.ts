import type { ToolCall, ToolDefinition } from '@repertoire/core'
import { readArguments } from '@repertoire/core/adapter'
import type { AssistantMessage, Message } from '../model.ts'
import type { Protocol } from './protocol.ts'

/**
 * The plain-text ReAct protocol, for models without their own tool calls (Yao et al., "ReAct: Synergizing Reasoning
 * and Acting in Language Models"). Reading is pure, and strict where it matters:
 *
 * - Only an `Action:` at the very start of a line counts, outside of fenced code and of another call's JSON.
 * - Nothing after the calls is read: an `Observation:` or an answer that a model invents there is neither used nor sent
 * back. Malformed text ends the reading, so that nothing after it runs.
 * - `Final Answer:` ends the message; what follows is text, whatever it looks like.
 * - A message with neither is the answer as a whole, as it is with native tool calls.
 */
export const textProtocol: Protocol = {
  request: (system, messages, tools) => {
    const whole = [system ?? '', toolSection(tools)].filter((part) => part !== '').join('\n\n')
    return {
      ...(whole !== '' && { system: whole }),
      messages: messages.map(encodeMessage),
      tools: [],
      ...(tools.length > 0 && { stop: ['\nObservation:'] }),
    }
  },
  // Without the vendor's format of the message: it contains the text that is ignored here.
  read: ({ text: written, calls: native, finishReason, usage }) => {
    const { text, calls } = parseMessage(written)
    return { text, calls: [...calls, ...native], finishReason, ...(usage && { usage }) }
  },
  shown: (streamed) => {
    // The label is searched first, since the whole text is read again for every piece.
    if (!streamed.includes(FINAL)) return ''
    const head = headOf(streamed)
    return head?.label === FINAL ? streamed.slice(head.end).trim() : ''
  },
}

const ACTION = 'Action:'
const INPUT = 'Action Input:'
const FINAL = 'Final Answer:'
const LABELS = [ACTION, INPUT, FINAL, 'Thought:', 'Observation:']

/** Reads a model's message. The ids of the calls are empty. */
export function parseMessage(source: string): { readonly text: string; readonly calls: readonly ToolCall[] } {
  const head = headOf(source)
  if (head === undefined) return { text: thoughtOf(source), calls: [] }
  if (head.label === FINAL) return { text: source.slice(head.end).trim(), calls: [] }
  return { text: thoughtOf(source.slice(0, head.start)), calls: readCalls(source, head.start) }
}

/** Writes an assistant's message. Whatever its text contains, `parseMessage` reads the same calls from it. */
export function encodeAssistant({ content, calls = [] }: Pick<AssistantMessage, 'content' | 'calls'>): string {
  if (calls.length === 0) return `${FINAL} ${content}`
  return [
    ...(content === '' ? [] : [`Thought: ${escaped(content)}`]),
    ...calls.flatMap(({ tool, input }) => [
      `${ACTION} ${tool.replaceAll(/\s+/g, ' ')}`,
      `${INPUT} ${JSON.stringify(input) ?? '{}'}`,
    ]),
  ].join('\n')
}

/** Writes the result of a call as a separate message, so that nothing in it can look like another result. */
export function encodeResult(content: string): string {
  return `Observation: ${content}`
}

const SECTION = `# Tools

You have tools. Each line is one of them, as JSON with its name, its description and the JSON Schema of its input:
`

const RULES = `To use a tool, write:

Thought: what you want to do, and why
Action: the tool's name
Action Input: the tool's input, as one JSON object

For several tools at once, repeat the last two lines. Then stop: each result comes to you as a message that begins with "Observation:", in the order of your actions. Never write an observation yourself.

When you need no tool any more, write:

Final Answer: your answer`

/** The section of the system prompt about tools and protocol; empty if there are no tools. */
export function toolSection(tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) return ''
  const lines = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
  return [SECTION, ...lines, '', RULES].join('\n')
}

/** Splits a system prompt into the text before the section and the tools. */
export function splitSystem(whole: string): { readonly system: string; readonly tools: readonly ToolDefinition[] } {
  // Each tool is one line, so nothing in a tool can look like the beginning of the section.
  const at = whole.lastIndexOf(SECTION)
  if (at === -1 || !whole.endsWith(RULES)) return { system: whole, tools: [] }
  const lines = whole
    .slice(at + SECTION.length, -RULES.length)
    .trim()
    .split('\n')
  return {
    system: whole.slice(0, at).replace(/\n\n$/, ''),
    tools: lines.map((line) => JSON.parse(line) as ToolDefinition),
  }
}

function encodeMessage(message: Message): Message {
  if (message.role === 'user') return message
  if (message.role === 'tool') return { role: 'user', content: encodeResult(message.content) }
  return { role: 'assistant', content: encodeAssistant(message) }
}

/** The first `Action:` or `Final Answer:` that counts, with the start of its line and its own end. */
function headOf(source: string): { readonly label: string; readonly start: number; readonly end: number } | undefined {
  for (const { text, start, inCode } of linesOf(source)) {
    if (inCode) continue
    const label = [ACTION, FINAL].find((known) => text.startsWith(known))
    if (label !== undefined) return { label, start, end: start + label.length }
  }
  return undefined
}

function thoughtOf(source: string): string {
  return source
    .trim()
    .replace(/^Thought:/, '')
    .trim()
}

function readCalls(source: string, from: number): readonly ToolCall[] {
  const calls: ToolCall[] = []
  let action = nextLine(source, from)
  while (action?.text.startsWith(ACTION) === true) {
    const line = nextLine(source, action.start + action.text.length)
    const read = line?.text.startsWith(INPUT) === true ? readInput(source, line) : { input: {}, next: line?.start }
    calls.push({ id: '', tool: nameOf(action.text.slice(ACTION.length)), input: read.input })
    action = read.next === undefined ? undefined : nextLine(source, read.next)
  }
  return calls
}

/** The first line from an offset that is not blank. */
function nextLine(source: string, from: number): Line | undefined {
  for (const line of linesOf(source, from)) if (line.text.trim() !== '') return line
  return undefined
}

/** The name of a tool without what models put around it, such as \`Bash\` or "Bash". */
function nameOf(text: string): string {
  const name = text.replaceAll(/\s+/g, ' ')
  const isDecoration = (at: number): boolean => ' `"\'*'.includes(name.charAt(at))
  let start = 0
  let end = name.length
  while (start < end && isDecoration(start)) start++
  while (end > start && isDecoration(end - 1)) end--
  return name.slice(start, end)
}

/** An input after its label, and where the next call may begin; without `next` if the text is malformed. */
function readInput(source: string, line: Line): { readonly input: unknown; readonly next?: number } {
  const rest = source.slice(line.start + INPUT.length)
  const fence = /^\s*(`{3,}|~{3,})[^\n]*\n\s*/.exec(rest)
  const begin = line.start + INPUT.length + (fence?.[0].length ?? /^\s*/.exec(rest)?.[0].length ?? 0)
  const isEmpty =
    begin === source.length || (source[begin - 1] === '\n' && LABELS.some((label) => source.startsWith(label, begin)))
  if (isEmpty && fence === null) return { input: {}, next: begin }
  const end = endOfValue(source, begin)
  if (end === undefined) return { input: source.slice(begin).trim() }
  const text = source.slice(begin, end)
  const input = readArguments(text)
  // The end of unparsable text is unknown: nothing after it is read as a call.
  if (input === text) return { input }
  const after = fence === null ? /^[ \t\r]*(?:\n|$)/ : new RegExp(`^\\s*${fence[1]}[\`~]*[ \\t\\r]*(?:\\n|$)`)
  const gap = after.exec(source.slice(end))
  return gap === null ? { input } : { input, next: end + gap[0].length }
}

function endOfValue(source: string, begin: number): number | undefined {
  if (source[begin] === '{' || source[begin] === '[') return endOfJson(source, begin)
  const newline = source.indexOf('\n', begin)
  const line = source.slice(begin, newline === -1 ? undefined : newline).trimEnd()
  return begin + line.length
}

/** Escapes a text: no line can be read as a label, and no fence stays open. */
function escaped(text: string): string {
  const lines = [...linesOf(text)]
  const escapedLines = lines.map(({ text: line, inCode }) =>
    !inCode && (line.startsWith(ACTION) || line.startsWith(FINAL)) ? ` ${line}` : line,
  )
  const open = lines.at(-1)?.fence
  return [...escapedLines, ...(open === undefined ? [] : [open])].join('\n')
}

/** A line of a text. */
interface Line {
  readonly text: string
  /** Its offset in the whole text. */
  readonly start: number
  /** Whether it belongs to fenced code, the fences included. */
  readonly inCode: boolean
  /** The fence that is open after it, such as three backticks; undefined if none is. */
  readonly fence: string | undefined
}

/**
 * The lines of a text from an offset. Only `\n` ends a line. Fences are those of CommonMark 0.31, "Fenced code blocks";
 * a fence that is never closed extends to the end, so that nothing after it counts.
 */
function* linesOf(source: string, from = 0): Generator<Line, undefined> {
  let fence: string | undefined
  for (let start = from; start < source.length;) {
    const newline = source.indexOf('\n', start)
    const end = newline === -1 ? source.length : newline
    const text = source.slice(start, end)
    // A thought may begin with code: "Thought: ```".
    const [, marks = '', info = ''] = /^(?:Thought:[ \t]*)? {0,3}(`{3,}|~{3,})(.*)$/s.exec(text) ?? []
    const before = fence
    if (fence === undefined) {
      if (marks !== '' && !(marks[0] === '`' && info.includes('`'))) fence = marks
    } else if (marks.startsWith(fence) && info.trim() === '') fence = undefined
    yield { text, start, inCode: before !== undefined || fence !== undefined, fence }
    start = end + 1
  }
  return undefined
}

/**
 * The exclusive end of the JSON object or array that begins at `from`; undefined if it is never closed. Brackets in
 * strings do not count. A string may contain line breaks, which JSON forbids but models write.
 */
export function endOfJson(text: string, from: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return undefined
}
