import { parseAst } from 'vitest/node'

/**
 * The specifiers that a TypeScript file imports: statically, as types, by `import()` with a literal, or to export
 * them again. In their order, repeated as often as they stand there.
 * @throws {Error} the text is not TypeScript
 */
export function importsOf(text: string): readonly string[] {
  return specifiers(parseAst(text, { lang: 'ts' }))
}

/** The nodes whose `source` is what is imported. */
const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

function specifiers(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(specifiers)
  if (typeof node !== 'object' || node === null) return []
  const { type, source } = node as { readonly type?: string; readonly source?: { readonly value?: unknown } | null }
  const specifier = type !== undefined && IMPORTING.has(type) ? source?.value : undefined
  const below = Object.values(node).flatMap(specifiers)
  return typeof specifier === 'string' ? [specifier, ...below] : below
}
