import { buildPage } from '@repertoire/inspector/build'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { inspectorPage, openInspector, type PageIntroduction, pageWithLogs } from 'repertoire/inspector'
import { type Context, saveReport, visibleLine } from 'repertoire/terminal'
import type { Audits } from './audits.ts'
import type { StoryOptions } from './options.ts'
import type { Story } from './play-story.ts'
import { storySentences } from './render/text.ts'

/** Shows the story on the inspector's page: as one file, or served until a signal. */
export async function showPage(
  story: Story,
  { audits, page = {} }: { readonly audits: Audits } & Pick<StoryOptions, 'page'>,
  { stdout }: Context,
): Promise<void> {
  await buildPage()
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-page-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    const logs = story.adapters.map(({ adapter }) => {
      const path = join(folder, `${adapter}.jsonl`)
      writeFileSync(path, audits.logOf(adapter))
      return path
    })
    const introduction = introductionOf(story)
    if (page.file !== undefined) {
      saveReport(page.file, await pageWithLogs(logs, introduction))
      await stdout.write(`\n${visibleLine(`The page is in ${page.file}`)}\n`)
      return
    }
    const server = await openInspector({ page: inspectorPage(), logs, introduction, isLive: false, port: 0 })
    await stdout.write(`\nOpen ${server.url}\nEnd with Ctrl+C.\n`)
    await interrupted()
    await server.close()
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function introductionOf(story: Story): PageIntroduction {
  const [first] = story.adapters
  return { notice: storySentences(story).join(' '), start: `#${first?.adapter ?? ''}?view=compare` }
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
