import { type AdapterDriver, fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { type Context, type ExitCode, toJson } from 'repertoire/terminal'
import { INSTRUCTIONS } from '../instructions.ts'
import { verifyLockedSkills } from '../locked-skills.ts'
import type { AdapterRecord, Received } from '../record.ts'
import { longText } from '../render/long-text.ts'
import { screenOf } from '../render/screen.ts'
import type { Recording } from '../page/recording.ts'
import { playAdapter } from '../play-adapter.ts'
import { chapter, isSummaryRequest, LOGBOOK, LONG_SKILL, LONG_STEPS, LONG_TASK, longScript, WINDOW } from './script.ts'
import type { LongRecord, LongResult } from './result.ts'

/** Options of the long conversation. */
export interface LongOptions {
  readonly drivers: readonly AdapterDriver[]
  readonly stream: boolean
  readonly json: boolean
}

interface PlayOptions extends Pick<LongOptions, 'drivers' | 'stream'> {
  /** Records the audit of every adapter. Default: there is no audit. */
  readonly recording?: Recording
}

/** Plays a conversation of 60 steps through the adapters and prints whether it keeps to the model's window. */
export async function tellLong(options: LongOptions, { stdout }: Context): Promise<ExitCode> {
  const result = await playLong(options)
  await stdout.write(options.json ? toJson({ mode: 'long', ...result }) : longText(result, screenOf(stdout)))
  return result.held ? 0 : 1
}

/** Plays it without printing anything. */
export async function playLong({ drivers, stream, recording }: PlayOptions): Promise<LongResult> {
  await verifyLockedSkills()
  const endpoint = await openModelEndpoint()
  try {
    const repertoire = await openRepertoire({
      sources: [fixtureSkills()],
      // The estimate is for languages; the scripted model's tokens are a quarter of the characters.
      context: { window: WINDOW, countTokens: tokensIn },
      audit: recording?.audit,
    })
    const adapters = await Promise.all(
      drivers.map(async (driver) => {
        const record = await playAdapter(endpoint, longScript(), {
          driver,
          stream,
          repertoire,
          session: recording?.session(driver.name, 'long'),
          tools: [LOGBOOK],
          folder: '/',
          instructions: INSTRUCTIONS,
          task: LONG_TASK,
          decide: async () => ({ approved: true }),
          maxSteps: LONG_STEPS,
        })
        return longRecord(record)
      }),
    )
    return { task: LONG_TASK, window: WINDOW, adapters, held: adapters.every(holds) }
  } finally {
    await endpoint.close()
  }
}

function holds({ steps, largest, withoutInstructions, failure }: LongRecord): boolean {
  return failure === undefined && steps === LONG_STEPS && largest <= WINDOW && withoutInstructions === 0
}

function longRecord({ adapter, requests, runs, answer, failure }: AdapterRecord): LongRecord {
  const own = requests.filter((request) => !isSummaryRequest(request))
  return {
    adapter,
    steps: own.length,
    summaries: requests.length - own.length,
    largest: Math.max(0, ...own.map(tokensOf)),
    unsummarized: (own[0] === undefined ? 0 : tokensOf(own[0])) + runs.length * tokensIn(chapter(1)),
    withoutInstructions: own.slice(1).filter((request) => shownTimes(request) !== 1).length,
    answer,
    failure,
  }
}

function tokensOf({ system, tools, messages }: Received): number {
  return tokensIn(JSON.stringify([system, tools, messages]))
}

/** The scripted endpoint counts a quarter of the characters. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4)
}

/** How often the skill's activation stands in a request. */
function shownTimes({ system, messages }: Received): number {
  const shown = [system, ...messages.map(({ text }) => text)].join('\n')
  return shown.split(`<skill_content name="${LONG_SKILL}"`).length - 1
}
