import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

type Program = ReturnType<typeof parseSync>['program']
type Statement = Program['body'][number]
type ImportSpecifier = Extract<Statement, { type: 'ImportDeclaration' }>['specifiers'][number]
type Comment = ReturnType<typeof parseSync>['comments'][number]

/** A part of a text that is written otherwise; a comment is left out. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A name in another file of the package, or in another package. */
export type ImportedName =
  | { readonly file: string; readonly name: string }
  | { readonly package: string; readonly name: string }

/** What a file declares under one name: an overloaded function or a merged interface in several texts. */
export interface Declaration {
  readonly isType: boolean
  /** Without comments, `export` and `declare`. */
  readonly texts: readonly string[]
  /** The names that the texts refer to, in this file or another. */
  readonly references: readonly ImportedName[]
}

/** What a declaration file says, by its own names. */
export interface DeclarationFile {
  readonly declarations: ReadonlyMap<string, Declaration>
  /** By the exported name. */
  readonly exports: ReadonlyMap<string, ImportedName>
  /** What it adds to other modules: the texts of its `declare module` blocks. */
  readonly augmentations: readonly string[]
}

/**
 * Reads a declaration file as the compiler writes it.
 * @throws {TypeError} where it exports in a way that a reader of the API could not follow, such as `export *`
 */
export function readDeclarationFile(file: string, source: string): DeclarationFile {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new TypeError(`${file} cannot be parsed: ${errors[0]!.message}`)
  const imports = new Map<string, ImportedName>()
  const exports = new Map<string, ImportedName>()
  const statements = new Map<string, Statement[]>()
  const augmentations: string[] = []
  const edits = [...comments.map(leaveOut), ...namedParameters(program, source)].toSorted((a, b) => a.start - b.start)
  const declare = (name: string, statement: Statement): void => {
    statements.set(name, [...(statements.get(name) ?? []), statement])
  }

  for (const statement of program.body) {
    switch (statement.type) {
      case 'ImportDeclaration':
        for (const specifier of statement.specifiers) {
          imports.set(specifier.local.name, importedName(file, statement.source.value, importedBy(specifier)))
        }
        break
      case 'ExportNamedDeclaration': {
        const { declaration, specifiers, source: from } = statement
        if (declaration !== null) {
          for (const name of declaredNames(declaration, file)) {
            declare(name, statement)
            exports.set(name, { file, name })
          }
        }
        for (const { local, exported } of specifiers) {
          const name = nameOf(local)
          exports.set(nameOf(exported), from === null ? { file, name } : importedName(file, from.value, name))
        }
        break
      }
      case 'TSModuleDeclaration':
        augmentations.push(textOf(source, statement, edits))
        break
      case 'ExportAllDeclaration':
      case 'ExportDefaultDeclaration':
      case 'TSExportAssignment':
        throw new TypeError(`${file} exports without a name: ${source.slice(statement.start, statement.end)}`)
      default:
        for (const name of declaredNames(statement, file)) declare(name, statement)
    }
  }

  const resolve = (name: string): ImportedName | undefined =>
    statements.has(name) ? { file, name } : imports.get(name)
  return {
    declarations: new Map(
      [...statements].map(([name, parts]) => [
        name,
        {
          isType: parts.every((part) => isType(part)),
          texts: parts.map((part) => textOf(source, part, edits)),
          references: parts.flatMap((part) => references(program, part, file, resolve)),
        },
      ]),
    ),
    // `export { a }` of what was imported is an export of the other file.
    exports: new Map(
      [...exports].map(([name, target]) => {
        const isLocal = 'file' in target && target.file === file
        return [name, (isLocal ? resolve(target.name) : undefined) ?? target]
      }),
    ),
    augmentations,
  }
}

function importedBy(specifier: ImportSpecifier): string {
  if (specifier.type === 'ImportSpecifier') return nameOf(specifier.imported)
  return specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
}

function nameOf(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return node.name ?? String(node.value)
}

function importedName(file: string, from: string, name: string): ImportedName {
  if (!from.startsWith('.')) return { package: from, name }
  return { file: join(dirname(file), from).replace(/\.[jt]s$/, '.d.ts'), name }
}

/** The names that a statement declares; none where it is empty, as `export {}` is. */
function declaredNames(statement: object, file: string): readonly string[] {
  const { type, id, declarations } = statement as {
    readonly type: string
    readonly id?: { readonly name: string } | null
    readonly declarations?: readonly { readonly id: { readonly name: string } }[]
  }
  if (declarations !== undefined) return declarations.map((each) => each.id.name)
  if (id) return [id.name]
  throw new TypeError(`${file} has a statement that declares nothing: ${type}`)
}

function isType(statement: Statement): boolean {
  const { type } = statement.type === 'ExportNamedDeclaration' ? statement.declaration! : statement
  return type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration'
}

function leaveOut({ start, end }: Comment): Edit {
  return { start, end, text: '' }
}

/**
 * Names for parameters that are taken apart where they are declared: `{ path, limit }: ReadOptions` is `options:
 * ReadOptions` to a caller, for whom the inner names mean nothing.
 */
function namedParameters(program: Program, source: string): readonly Edit[] {
  const edits: Edit[] = []
  new Visitor({
    ObjectPattern({ start, typeAnnotation }) {
      if (!typeAnnotation) return
      const [, lastWord = 'options'] =
        /^:\s*(?:\w*?)([A-Z][a-z]+)$/.exec(source.slice(typeAnnotation.start, typeAnnotation.end)) ?? []
      const optional = source[typeAnnotation.start - 1] === '?' ? '?' : ''
      edits.push({ start, end: typeAnnotation.start, text: lastWord.toLowerCase() + optional })
    },
  }).visit(program)
  return edits
}

/** The text of a statement with its edits, without empty lines, `export` and `declare`. */
function textOf(source: string, { start, end }: Statement, edits: readonly Edit[]): string {
  let text = ''
  let from = start
  for (const edit of edits) {
    // A comment within a parameter that is named is gone with it.
    if (edit.start < from || edit.end > end) continue
    text += source.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return (text + source.slice(from, end))
    .replace(/^export /, '')
    .replace(/^declare (?!module|global)/, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
}

/** What the types of a statement refer to: names at the top of this file or another, and inline imports. */
function references(
  program: Program,
  { start, end }: Statement,
  file: string,
  resolve: (name: string) => ImportedName | undefined,
): readonly ImportedName[] {
  const found: ImportedName[] = []
  const add = (node: { readonly start: number; readonly end: number }, target: ImportedName | undefined): void => {
    if (node.start >= start && node.end <= end && target !== undefined) found.push(target)
  }
  const addNamed = (node: { readonly start: number; readonly end: number }, named: unknown): void =>
    add(node, resolve(firstName(named)))
  new Visitor({
    TSTypeReference: (node) => addNamed(node, node.typeName),
    TSTypeQuery: (node) => addNamed(node, node.exprName),
    TSInterfaceHeritage: (node) => addNamed(node, node.expression),
    TSClassImplements: (node) => addNamed(node, node.expression),
    ClassDeclaration: (node) => addNamed(node, node.superClass),
    TSImportType: (node) => add(node, importedName(file, node.source.value, firstName(node.qualifier))),
  }).visit(program)
  return found
}

/** `a` of `a.b.c`. */
function firstName(node: unknown): string {
  const { name, left, object } = (node ?? {}) as Readonly<Record<string, unknown>>
  return typeof name === 'string' ? name : left || object ? firstName(left ?? object) : ''
}
