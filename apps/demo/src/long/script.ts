import type { ScriptStep, WireRequest } from '@repertoire/conformance'
import { createTool } from '../tools/tool.ts'

/** What the scripted model is asked to do, in one message. */
export const LONG_TASK = 'Read all 58 chapters of the logbook, one after the other, and say what the last one is about.'

/** The model's context window in this conversation, in tokens. The whole conversation is three times as long. */
export const WINDOW = 10_000

const CHAPTERS = 58
const WORDS = ['tide', 'harbour', 'wind', 'crew', 'lantern', 'rope', 'chart', 'anchor', 'fog', 'bell', 'keel', 'gull']

/** A chapter: about 400 words, always the same ones. */
export function chapter(number: number): string {
  const words = Array.from({ length: 400 }, (_, index) => WORDS[(index * number + index) % WORDS.length])
  return `Chapter ${number}, about the ${WORDS[number % WORDS.length]}. ${words.join(' ')}.`
}

/** The tool that reads a chapter. */
export const LOGBOOK = createTool({
  name: 'Read',
  description: 'Returns a chapter of the logbook.',
  parameters: { file_path: 'the number of the chapter, as in "logbook/7.md"' },
  run: ({ file_path: path = '' }) => chapter(Number(/\d+/.exec(path)?.[0] ?? 0)),
})

/** What the skill says that is active from the beginning on. */
export const LONG_SKILL = 'repo-survey'

/** Whether the model is asked for a summary. */
export function isSummaryRequest({ tools, messages }: Pick<WireRequest, 'tools' | 'messages'>): boolean {
  return tools.length === 0 && messages.length === 1 && messages[0]?.text.includes('<conversation>') === true
}

/** Steps of the conversation itself, without the summaries. */
export const LONG_STEPS = CHAPTERS + 2

/**
 * Returns what the model does in 60 steps: it activates a skill, reads every chapter and answers. A request for a summary
 * may come before any of them, and is answered by how far it has read.
 */
export function longScript(): readonly ScriptStep[] {
  let step = 0
  const next = (request: WireRequest): ScriptStep => {
    if (isSummaryRequest(request)) return { text: `The logbook was read up to chapter ${step - 2}.` }
    step++
    if (step === 1) return { calls: [{ id: 'skill', tool: 'activate_skill', input: { name: LONG_SKILL } }] }
    const number = step - 1
    if (number > CHAPTERS) return { text: `The last chapter is about the ${WORDS[CHAPTERS % WORDS.length]}.` }
    return { calls: [{ id: `chapter_${number}`, tool: 'Read', input: { file_path: `logbook/${number}.md` } }] }
  }
  return Array.from({ length: 2 * LONG_STEPS }, () => next)
}
