import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sectionOf, withSection } from './marked-section.ts'

/** What belongs between the markers of a document. */
interface GeneratedSection {
  /** From the root of the repository. */
  readonly file: string
  readonly content: string
}

interface PublishOptions {
  /** The root of the repository. */
  readonly root: string
  /** The name in the markers, see `sectionOf`. */
  readonly name: string
  /** What to run to bring the documents up to date, for the message. */
  readonly command: string
  /** Whether to write nothing, and to say instead where a document differs. */
  readonly isCheck: boolean
  /** Default: to stdout. */
  readonly say?: (text: string) => void
}

/**
 * Writes sections into the documents that are out of date, or names those documents.
 * @returns whether every document is up to date now
 * @throws {TypeError} a document lacks the markers
 */
export function publishSections(sections: readonly GeneratedSection[], options: PublishOptions): boolean {
  const { root, command, isCheck, say = (text: string) => process.stdout.write(text) } = options
  const outdated = sections.flatMap((section) => outdatedDocument(section, options) ?? [])
  for (const { file, text, difference } of outdated) {
    if (!isCheck) writeFileSync(join(root, file), text)
    say(
      isCheck
        ? `${file} is out of date. Run "${command}" and commit what it writes.\n${difference}\n`
        : `${file} is written.\n`,
    )
  }
  return !isCheck || outdated.length === 0
}

/** A document with another section, with the text that it should have and the first line that differs. */
function outdatedDocument(
  { file, content }: GeneratedSection,
  { root, name }: PublishOptions,
): { readonly file: string; readonly text: string; readonly difference: string } | undefined {
  const current = readFileSync(join(root, file), 'utf8')
  const text = formatted(root, file, withSection(current, name, content, file))
  const [is, should] = [current, text].map((each) => sectionOf(each, name, file).split('\n'))
  if (is!.join('\n') === should!.join('\n')) return undefined
  const at = should!.findIndex((line, index) => line !== is![index])
  const line = at === -1 ? should!.length : at
  return { file, text, difference: `  is:     ${is![line] ?? '(nothing)'}\n  should: ${should![line] ?? '(nothing)'}` }
}

function formatted(root: string, file: string, text: string): string {
  const options = { cwd: root, input: text, encoding: 'utf8' } as const
  const { status, stdout, stderr, error } = spawnSync('oxfmt', [`--stdin-filepath=${file}`], options)
  if (status !== 0) throw new Error(`${file} could not be formatted: ${stderr}`, { cause: error })
  return stdout
}
