import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openRepertoire } from '../src/index.ts'

const PACKAGE = join(import.meta.dirname, '..')
const REPOSITORY = join(PACKAGE, '../..')

/** Every entry, and how many values it may give. */
const ENTRIES = [
  { entry: '@repertoire/core', file: 'index.ts', atLeast: 12, atMost: 24 },
  { entry: '@repertoire/core/authoring', file: 'authoring.ts', atLeast: 8, atMost: 14 },
  { entry: '@repertoire/core/adapter', file: 'adapter.ts', atLeast: 20, atMost: 34 },
  { entry: '@repertoire/core/stores', file: 'stores.ts', atLeast: 10, atMost: 26 },
  { entry: '@repertoire/core/options', file: 'options/index.ts', atLeast: 20, atMost: 30 },
  { entry: '@repertoire/core/node', file: 'node/index.ts', atLeast: 10, atMost: 26 },
  { entry: '@repertoire/core/schema', file: 'schema/index.ts', atLeast: 2, atMost: 5 },
  { entry: '@repertoire/core/opentelemetry', file: 'opentelemetry/index.ts', atLeast: 1, atMost: 5 },
] as const

interface Exported {
  /** The file that the name comes from. */
  readonly file: string
  readonly isType: boolean
}

/** What an entry exports, by name. */
function exportsOf(entry: string): ReadonlyMap<string, Exported> {
  const index = readFileSync(join(PACKAGE, 'src', entry), 'utf8')
  return new Map(
    [...index.matchAll(/export (type )?\{([^}]*)\} from '(.*)'/g)].flatMap(([, allTypes, names = '', file = '']) =>
      [...names.matchAll(/(type )?(\w+)(?=,|\s*$)/g)].map(
        ([, type, name = '']) => [name, { file, isType: (allTypes ?? type) !== undefined }] as const,
      ),
    ),
  )
}

/** Every piece of code in a document, from one word to a program: a name in a sentence is a word like any other. */
function codeOf(file: string): string {
  return (readFileSync(file, 'utf8').match(/```[^]*?\n```|`[^`\n]+`/g) ?? []).join('\n')
}

/** A file, or all of a folder or of another package whose entry gives it out. */
function sourceOf(file: string): string {
  const [, other] = /^@repertoire\/([\w-]+)\//.exec(file) ?? []
  const path = other === undefined ? join(PACKAGE, 'src', file) : join(REPOSITORY, 'packages', other, 'src/index.ts')
  const files = path.endsWith('/index.ts')
    ? readdirSync(dirname(path), { recursive: true, encoding: 'utf8' }).map((each) => join(dirname(path), each))
    : [path]
  return files
    .filter((each) => each.endsWith('.ts'))
    .map((each) => readFileSync(each, 'utf8'))
    .join('\n')
}

/**
 * What a caller sees of an exported declaration: of an interface or a type all of it, of a function the signature, of a
 * constant its first line. Comments are left out.
 */
function declaration(name: string, file: string): string {
  const source = sourceOf(file).replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
  const [, kind = '', rest = ''] =
    new RegExp(`\\nexport (?:declare )?(async function\\*?|function|const|class|interface|type) ${name}\\b([^]*)`).exec(
      `\n${source}`,
    ) ?? []
  const end = /function/.test(kind) ? / \{\n/ : /^const|class$/.test(kind) ? /\n/ : /\n\}|\n\n/
  return rest.slice(0, end.exec(rest)?.index)
}

const entries = ENTRIES.map((entry) => ({ ...entry, names: exportsOf(entry.file) }))
/** Of the two entries whose types a program is written with. */
const names = new Map(entries.slice(0, 2).flatMap((entry) => [...entry.names]))
const pages = [
  ...globSync('docs/**/*.md', { cwd: REPOSITORY }),
  ...globSync('packages/*/README.md', { cwd: REPOSITORY }),
].map((page) => join(REPOSITORY, page))
const code = pages.map(codeOf).join('\n')

function isNamed(name: string, where = code): boolean {
  return new RegExp(`\\b${name}\\b`).test(where)
}

it.each(entries)('[ADPT-4, NFR-4] gives few values from $entry', (entry) => {
  const values = [...entry.names].flatMap(([name, { isType }]) => (isType ? [] : [name]))
  expect(values.length).toBeGreaterThanOrEqual(entry.atLeast)
  expect(values.length).toBeLessThanOrEqual(entry.atMost)
})

it('[ADPT-4, NFR-4] exports a name from one entry alone', () => {
  const all = entries.flatMap((entry) => [...entry.names.keys()])
  expect(all).toEqual([...new Set(all)])
})

it('[ADPT-4, NFR-4] names every type that is exported in a document, unless another export is made of it', () => {
  const declarations = new Map([...names].map(([name, { file }]) => [name, declaration(name, file)]))
  expect([...declarations].filter(([, text]) => text === '')).toEqual([])
  const isPart = (name: string): boolean =>
    [...declarations].some(([other, text]) => other !== name && new RegExp(`\\b${name}\\b`).test(text))
  const types = [...names].flatMap(([name, { isType }]) => (isType ? [name] : []))
  expect(types.length).toBeGreaterThan(90)
  expect(types.filter((name) => !isPart(name) && !isNamed(name))).toEqual([])
})

it('[ADPT-4, NFR-4] names every member of a session and of a repertoire in a document, as code', () => {
  const fileOf = (name: string): string => entries.map((entry) => entry.names.get(name)?.file).find(Boolean)!
  const members = ['Session', 'StepCalls', 'AdapterSession', 'Repertoire'].flatMap((name) =>
    [...declaration(name, fileOf(name)).matchAll(/\n  (?:readonly )?(\w+)[(<:]/g)].map(([, member = '']) => member),
  )
  expect(members).toEqual(expect.arrayContaining(['step', 'preview', 'state', 'runTask']))
  expect(members.filter((name) => !isNamed(name))).toEqual([])
})

it('[ADPT-4] begins no docstring of a package with a default: what a thing is for comes first', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: REPOSITORY })
  expect(sources.length).toBeGreaterThan(500)
  const late = sources.filter((file) =>
    /\/\*\*\s*(?:\* )?default\b/i.test(readFileSync(join(REPOSITORY, file), 'utf8')),
  )
  expect(late).toEqual([])
})

it('[ADPT-4, CFG-1] takes at most 17 options each to open a repertoire and a session, and three more of an adapter', async () => {
  const optionsOf = async (open: () => unknown): Promise<readonly string[]> => {
    const { message } = await Promise.resolve()
      .then(open)
      .then(
        () => new Error('It was accepted.'),
        (error: Error) => error,
      )
    return [...(/The options are (.*)\.$/.exec(message)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  }
  const unknown = { '0000': 1 } as object
  const repertoire = await openRepertoire({ sources: [] })
  const [ofRepertoire, ofSession] = [
    await optionsOf(() => openRepertoire({ sources: [], ...unknown })),
    await optionsOf(() => repertoire.openSession(unknown)),
  ]
  const ofAdapters = ['hostTools', 'checkpoint', 'until']
  const ofHosts = ofSession.filter((name) => !ofAdapters.includes(name))
  expect([ofRepertoire, ofHosts].map(({ length }) => length <= 17 && length > 12)).toEqual([true, true])
  expect(ofSession.slice(ofHosts.length)).toEqual(ofAdapters)
})
