import { z } from 'zod'
import { ToolFailure } from '../result.ts'

/** What can be done with files. */
export const OPERATIONS = ['read', 'list', 'write', 'edit', 'rename', 'delete'] as const

/** One of them. */
export type FileOperation = (typeof OPERATIONS)[number]

/** One flat object: models and their providers take that better than a choice between several. */
export function fileInput(operations: readonly FileOperation[]) {
  return z.strictObject({
    operation: z.enum(operations as [FileOperation, ...FileOperation[]]),
    path: z.string().describe('The file or folder.'),
    content: z.string().optional().describe('write: the whole new text.'),
    find: z.string().min(1).optional().describe('edit: the text to replace, exactly as it is in the file.'),
    replace: z.string().optional().describe('edit: the new text.'),
    all: z.boolean().optional().describe('edit: replace every occurrence. Default: there must be exactly one.'),
    version: z
      .string()
      .optional()
      .describe(
        'write, edit, delete: the version that was read. Needed to write over a file; refused if it has changed.',
      ),
    destination: z.string().optional().describe('rename: the new path.'),
    recursive: z.boolean().optional().describe('list: with everything below.'),
  })
}

/** What a call asks for. */
export type FileInput = z.infer<ReturnType<typeof fileInput>>

type Property = Exclude<keyof FileInput, 'operation' | 'path'>

/** What each operation needs, and what else it takes. */
const TAKEN: Readonly<Record<FileOperation, readonly [needed: readonly Property[], optional: readonly Property[]]>> = {
  read: [[], []],
  list: [[], ['recursive']],
  write: [['content'], ['version']],
  edit: [
    ['find', 'replace'],
    ['all', 'version'],
  ],
  rename: [['destination'], []],
  delete: [[], ['version']],
}

const PROPERTIES = [...new Set(Object.values(TAKEN).flat(2))]

/**
 * Checks that a call has what its operation needs, and nothing that belongs to another: it could mean something else.
 * @throws {ToolFailure} INPUT_INVALID
 */
export function checkOperation(input: FileInput): void {
  const { operation } = input
  const [needed, optional] = TAKEN[operation]
  const missing = needed.filter((name) => input[name] === undefined)
  const foreign = PROPERTIES.filter((name) => input[name] !== undefined && ![...needed, ...optional].includes(name))
  if (missing.length > 0)
    throw new ToolFailure('INPUT_INVALID', `The operation ${operation} needs ${missing.join(' and ')}.`)
  if (foreign.length > 0)
    throw new ToolFailure('INPUT_INVALID', `The operation ${operation} takes no ${foreign.join(', ')}.`)
}
