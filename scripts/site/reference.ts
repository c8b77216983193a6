import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A page of the reference. */
export interface ReferencePage {
  readonly path: string
  readonly title: string
  readonly text: string
}

/** What API Extractor writes about a declaration. */
interface ApiItem {
  readonly kind: string
  readonly name?: string
  readonly docComment?: string
  readonly excerptTokens?: readonly { readonly text: string }[]
  readonly members?: readonly ApiItem[]
}

const KINDS = [
  ['Function', 'Functions'],
  ['Class', 'Classes'],
  ['Interface', 'Interfaces'],
  ['TypeAlias', 'Types'],
  ['Variable', 'Values'],
] as const

/** Makes the pages of the API from what `npm run api -- --models` has written: one for each entry of a package. */
export function referencePages(models: string): readonly ReferencePage[] {
  const pages = globSync(`${models}/*.api.json`)
    .toSorted()
    .flatMap((file) => {
      const model = JSON.parse(readFileSync(file, 'utf8')) as ApiItem
      const folder = basename(file, '.api.json')
      const members = model.members?.flatMap(({ members: own = [] }) => own) ?? []
      const entries = members.filter(({ kind }) => kind === 'Namespace')
      const root = members.filter(({ kind }) => kind !== 'Namespace')
      return [
        ...(root.length === 0 ? [] : [pageOf(folder, model.name ?? '', root)]),
        ...entries.map(({ name = '', members: own = [] }) =>
          pageOf(`${folder}-${name}`, `${model.name}/${name.replaceAll('_', '/')}`, own),
        ),
      ]
    })
  const list = pages.map(({ path, title }) => `- [\`${title}\`](./${basename(path)})\n`)
  const index = `# API reference\n\nEvery export of every entry, generated from the declarations of the packages.\n\n${list.join('')}`
  return [{ path: 'reference/index.md', title: 'All entries', text: index }, ...pages]
}

function pageOf(name: string, title: string, items: readonly ApiItem[]): ReferencePage {
  const parts = KINDS.flatMap(([kind, heading]) => {
    const found = items.filter((item) => item.kind === kind)
    const names = [...new Set(found.map((item) => item.name ?? ''))].toSorted((a, b) => a.localeCompare(b))
    if (names.length === 0) return []
    return [
      `## ${heading}\n`,
      ...names.map((each) =>
        sectionOf(
          each,
          found.filter((item) => item.name === each),
        ),
      ),
    ]
  })
  const text = `# ${title}\n\nGenerated from the declarations. \`import { … } from '${title}'\`\n\n${parts.join('\n')}`
  return { path: `reference/${name}.md`, title, text }
}

/** An export with its overloads. */
function sectionOf(name: string, overloads: readonly ApiItem[]): string {
  const docComment = overloads[0]?.docComment ?? ''
  const code = overloads.map(declarationOf).join('\n\n')
  return `### ${name}\n\n${proseOf(docComment)}\n\n\`\`\`ts\n${code}\n\`\`\`\n`
}

function declarationOf({ kind, excerptTokens = [], members = [] }: ApiItem): string {
  const head = excerptTokens
    .map(({ text }) => text)
    .join('')
    .replace(/^export (?:declare )?/, '')
    .trim()
  if (kind !== 'Interface' && kind !== 'Class') return head
  const lines = members.map((member) => {
    const comment = (member.docComment ?? '').trimEnd()
    return indented(`${comment === '' ? '' : `${comment}\n`}${declarationOf(member)}`)
  })
  return lines.length === 0 ? `${head} {}` : `${head} {\n${lines.join('\n')}\n}`
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

/** A comment as Markdown: its text, then its parameters and errors as a list. */
function proseOf(comment: string): string {
  const text = comment
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/\s*$/, '')
    .replaceAll(/^ *\* ?/gm, '')
    .trim()
  const [description = '', ...tags] = text.split(/^@(?=\w)/m)
  const lines = tags.map((tag) => {
    const [, word = '', rest = ''] = /^(\w+)\s+([^]*)$/.exec(tag.trim()) ?? []
    if (word === 'example')
      return `- example: ${rest.includes('`') ? '' : '`'}${rest.replaceAll('\n', ' ')}${rest.includes('`') ? '' : '`'}`
    if (word === 'throws') return `- throws ${rest.replaceAll('\n', ' ').replace(/^\{(\w+)\}/, '`$1`:')}`
    if (word !== 'param') return `- ${word}: ${rest.replaceAll('\n', ' ')}`
    const [, parameter = '', about = ''] = /^(\S+)\s+-?\s*([^]*)$/.exec(rest) ?? []
    return `- \`${parameter}\`: ${about.replaceAll('\n', ' ')}`
  })
  return escaped([description.trim(), ...(lines.length > 0 ? ['', ...lines] : [])].join('\n'))
}

/** Braces and angle brackets outside of code are text. */
function escaped(text: string): string {
  return text
    .split(/(```[^]*?```|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\\?([{}])/g, '$1').replaceAll('<', '&lt;')))
    .join('')
}
