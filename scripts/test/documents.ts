import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A page for readers, by its path from the root of the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** The Markdown files that people read: those at the root, the READMEs and `docs`, without the reports in `docs/api`. */
export function readPages(): readonly Page[] {
  return filesOf(['*.md', 'docs/*.md', '{packages,apps}/*/README.md'])
}

/** What the programs in the pages are parts of: files that are compiled, and run by the tests beside them. */
export function readExamples(): readonly Page[] {
  return filesOf(['packages/*/test/**/*-example.ts', 'packages/conformance/test/guide-*.ts'])
}

function filesOf(patterns: readonly string[]): readonly Page[] {
  return globSync(patterns, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** The programs in TypeScript of a page, without what they are indented by. */
export function programsOf({ text }: Page): readonly string[] {
  return [...text.matchAll(/^( *)```ts\n([^]*?)^ *```$/gm)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

/** Whether a program is a file, or some consecutive whole lines of it, whatever these are indented by there. */
export function isPartOf(program: string, { text }: Page): boolean {
  return ['', '  ', '    ', '      '].some((indent) => {
    const lines = text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : `\0${line}`))
    return `\n${lines.map((line) => (line === `\0` ? '' : line)).join('\n')}`.includes(`\n${program}`)
  })
}

/** A link of a page: where it leads, as it is written. */
export function linksOf({ text }: Page): readonly string[] {
  const prose = text.replaceAll(/^ *```[^]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '`')
  return [...prose.matchAll(/\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    ([, inline, reference]) => (inline ?? reference)!,
  )
}

/** The anchors that a code host makes of a page's headings. */
export function anchorsOf({ text }: Page): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.replaceAll(/^ *```[^]*?^ *```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const taken = [anchor, ...Array.from({ length: anchors.size }, (_, n) => `${anchor}-${n + 1}`)]
    anchors.add(taken.find((each) => !anchors.has(each))!)
  }
  return anchors
}

/** Whether a link is one within the repository, and not an address. */
export function isRelative(link: string): boolean {
  return !/^[a-z][a-z+.-]*:/i.test(link)
}

/** The path, from the root, and the anchor that a relative link of a page leads to. */
export function targetOf({ path }: Page, link: string): { readonly path: string; readonly anchor: string | undefined } {
  const [file = '', anchor] = link.split('#')
  return { path: file === '' ? path : posix.join(dirname(path), decodeURI(file)), anchor }
}
