import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const PACKAGE = join(import.meta.dirname, '..')
const DOCS = join(PACKAGE, '../../docs')

/** What the root entry exports, and the file that each name comes from. */
function exported(): ReadonlyMap<string, { readonly file: string; readonly isType: boolean }> {
  const index = readFileSync(join(PACKAGE, 'src/index.ts'), 'utf8')
  return new Map(
    [...index.matchAll(/export (type )?\{([^}]*)\} from '(.*)'/g)].flatMap(([, allTypes, names = '', file = '']) =>
      [...names.matchAll(/(type )?(\w+)(?=,|\s*$)/g)].map(
        ([, type, name = '']) => [name, { file, isType: (allTypes ?? type) !== undefined }] as const,
      ),
    ),
  )
}

/** Every piece of code in the documents, from one word to a program: a name in a sentence is a word like any other. */
function codeOfDocuments(): string {
  const files = [join(PACKAGE, 'README.md'), ...readdirSync(DOCS).map((name) => join(DOCS, name))]
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => readFileSync(file, 'utf8').match(/```[^]*?\n```|`[^`\n]+`/g) ?? [])
    .join('\n')
}

/** A file, or all of a folder that an `index.ts` gives out. */
function sourceOf(file: string): string {
  const path = join(PACKAGE, 'src', file)
  const files = file.endsWith('/index.ts')
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
    new RegExp(`\\nexport (?:declare )?(async function|function|const|class|interface|type) ${name}\\b([^]*)`).exec(
      `\n${source}`,
    ) ?? []
  const end = /function/.test(kind) ? / \{\n/ : /^const|class$/.test(kind) ? /\n/ : /\n\}|\n\n/
  return rest.slice(0, end.exec(rest)?.index)
}

const names = exported()
const code = codeOfDocuments()

function isNamed(name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(code)
}

it('[ADPT-4, NFR-4] names every value that is exported in a document, as code', () => {
  const values = [...names].flatMap(([name, { isType }]) => (isType ? [] : [name]))
  expect(values.length).toBeGreaterThan(40)
  expect(values.filter((name) => !isNamed(name))).toEqual([])
})

it('[ADPT-4, NFR-4] names every type that is exported in a document, unless another export is made of it', () => {
  const declarations = new Map([...names].map(([name, { file }]) => [name, declaration(name, file)]))
  expect([...declarations].filter(([, text]) => text === '')).toEqual([])
  const isPart = (name: string): boolean =>
    [...declarations].some(([other, text]) => other !== name && new RegExp(`\\b${name}\\b`).test(text))
  const types = [...names].flatMap(([name, { isType }]) => (isType ? [name] : []))
  expect(types.length).toBeGreaterThan(100)
  expect(types.filter((name) => !isPart(name) && !isNamed(name))).toEqual([])
})

it('[ADPT-4, NFR-4] names every member of a session and of a repertoire in a document, as code', () => {
  const members = ['Session', 'Repertoire'].flatMap((name) =>
    [...declaration(name, names.get(name)!.file).matchAll(/\n  (?:readonly )?(\w+)[(<:]/g)].map(
      ([, member = '']) => member,
    ),
  )
  expect(members).toEqual(expect.arrayContaining(['beginStep', 'state', 'runTask']))
  expect(members.filter((name) => !isNamed(name))).toEqual([])
})
