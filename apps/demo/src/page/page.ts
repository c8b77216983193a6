import { type AdapterDriver, openModelEndpoint } from '@repertoire/conformance'
import { buildPage } from '@repertoire/inspector/build'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { inspectorPage, openInspector, type PageIntroduction, pageWithLogs } from 'repertoire/inspector'
import {
  DEFAULT_ADAPTERS,
  type Context,
  type ExitCode,
  packageVersion,
  saveReport,
  visibleLine,
} from 'repertoire/terminal'
import { FAULT } from '../fault.ts'
import { playLong } from '../long/play.ts'
import type { StoryOptions } from '../options.ts'
import { playStory, printStory } from '../scripted.ts'
import { playChangedByte } from './changed-byte.ts'
import { createRecording, type Recording } from './recording.ts'

/** Plays the story and what the terminal has no room for, prints the story, and shows all of it on the inspector's page. */
export async function tellOnPage(
  options: StoryOptions,
  drivers: readonly AdapterDriver[],
  context: Context,
): Promise<ExitCode> {
  await buildPage()
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-page-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    const recording = createRecording()
    const result = await playStory({ ...options, drivers, recording })
    const exitCode = await printStory(result, options, context)
    const failures = await playMore({ drivers, stream: options.stream, recording, folder })
    for (const failure of failures) await context.stderr.write(`${visibleLine(failure)}\n`)
    await showPage({ ...options, introduction: introductionOf(options) }, saveLogs(recording, folder), context)
    return failures.length === 0 ? exitCode : 1
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Plays the scenes that only the page shows. Returns what failed. */
async function playMore(options: {
  readonly drivers: readonly AdapterDriver[]
  readonly stream: boolean
  readonly recording: Recording
  readonly folder: string
}): Promise<readonly string[]> {
  const { drivers, stream, recording, folder } = options
  const endpoint = await openModelEndpoint()
  try {
    const changed = await Promise.all(
      drivers.map(async (driver) => {
        const skills = join(folder, `skills-${driver.name}`)
        mkdirSync(skills)
        return playChangedByte({ driver, stream, endpoint, recording, folder: skills })
      }),
    )
    const long = await playLong({ drivers, stream, recording })
    return [...changed, ...long.adapters].flatMap(({ adapter, failure }) =>
      failure === undefined ? [] : `${adapter}: ${failure}`,
    )
  } finally {
    await endpoint.close()
  }
}

/** Writes a log for each adapter. Returns their paths, in the order of the adapters. */
function saveLogs(recording: Recording, folder: string): readonly string[] {
  return [...recording.logs()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([adapter, text]) => {
      const path = join(folder, `${adapter}.jsonl`)
      writeFileSync(path, text)
      return path
    })
}

/** Writes the page as one file, or serves it until a signal. */
async function showPage(
  { page, introduction }: Pick<StoryOptions, 'page'> & { readonly introduction: PageIntroduction },
  logs: readonly string[],
  { stdout }: Context,
): Promise<void> {
  if (page?.file !== undefined) {
    saveReport(page.file, await pageWithLogs(logs, introduction))
    await stdout.write(`\n${visibleLine(`The page is in ${page.file}`)}\n`)
    return
  }
  const server = await openInspector({ page: inspectorPage(), logs, introduction, isLive: false, port: 0 })
  await stdout.write(`\nOpen ${server.url}\nEnd with Ctrl+C.\n`)
  await interrupted()
  await server.close()
}

function introductionOf(options: StoryOptions): PageIntroduction {
  const { adapters, stream, broken } = options
  const command = [
    'npm run demo -- --web',
    ...(adapters.length === DEFAULT_ADAPTERS.length ? [] : adapters.map((name) => `--adapter ${name}`)),
    ...(stream ? ['--stream'] : []),
    ...(broken === undefined ? [] : [`--break ${broken}`]),
  ].join(' ')
  const broke = broken === undefined ? '' : ` ${broken} is broken on purpose: ${FAULT}.`
  return {
    notice: `A scripted model played this with Repertoire ${packageVersion()}: no key, no network.${broke} Play it again: ${command}`,
    start: `#${[`${adapters[0]}?view=compare`, ...adapters.map((name) => `with=${name}`)].join('&')}`,
  }
}

/** Resolves at a signal, which is the regular end here. */
function interrupted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.removeAllListeners(signal)
    process.once(signal, () => resolve())
  }
  return promise
}
