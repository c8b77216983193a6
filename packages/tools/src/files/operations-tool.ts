import { checkOptions, listOf, number, oneOf, type OptionTable, text, withDefault } from '@repertoire/core/options'
import process from 'node:process'
import type { FunctionTool } from '@repertoire/core'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { defineTool } from '../define-tool.ts'
import { ToolFailure } from '../result.ts'
import { openBelow, type Place, readRoots, shown, systemCodeOf } from '../roots.ts'
import { deleteFile, editFile, inFolderOf, renameFile, writeFile, type WrittenFile } from './change.ts'
import { readContent, textOf } from './content.ts'
import { onPath } from '../on-path.ts'
import { checkOperation, fileInput, type FileOperation, OPERATIONS } from './input.ts'
import { type FolderEntries, listFolder } from './list.ts'
import { createProtection } from './protected.ts'

/** Options of `fileOperationsTool`. */
export interface FileOperationsToolOptions {
  /**
   * The folders to work in, and nowhere else; relative paths are relative to the first. Default: the process's working
   * folder. A host adds its own folder of settings where models may change them.
   */
  readonly roots?: readonly string[] | undefined
  /** What may be done. Default everything; `['read', 'list']` changes nothing. */
  readonly operations?: readonly FileOperation[] | undefined
  /** Files and folders that are not changed, renamed or deleted. `.git` never is. Default none. */
  readonly protect?: readonly string[] | undefined
  /** The largest file that is read or written, in bytes. Default 1,000,000. */
  readonly maxBytes?: number | undefined
  /** The most entries of a list. Default 1,000. */
  readonly maxEntries?: number | undefined
}

export const FILE_OPERATIONS_OPTIONS: OptionTable<FileOperationsToolOptions> = {
  roots: listOf(text, 'a list of folders'),
  operations: listOf(oneOf(...OPERATIONS), 'a list of operations'),
  protect: listOf(text, 'a list of paths'),
  maxBytes: withDefault(1_000_000, number('bytes', { from: 1, isWhole: true })),
  maxEntries: withDefault(1_000, number('entries', { from: 1, isWhole: true })),
}

/** What the operation `read` returns. */
export interface ReadFile {
  readonly path: string
  readonly content: string
  /** `utf8` if it is text, else `base64`. */
  readonly encoding: 'utf8' | 'base64'
  /** Identifies this content: pass it with the change, so that no other change is overwritten. */
  readonly version: string
  readonly bytes: number
}

/** What `file_operations` returns, by operation: read, list, write and edit, rename and delete. */
export type FileOperationsResult =
  | ReadFile
  | (FolderEntries & { readonly path: string })
  | (WrittenFile & { readonly replacements?: number })
  | { readonly path: string }

/**
 * The tool `file_operations`: reads, lists, writes, edits, renames and deletes inside of the host's folders, through no
 * link, also none that is put there meanwhile. A file is replaced in one step.
 * @throws {TypeError} an option does not have the shape named here
 */
export function fileOperationsTool(options: FileOperationsToolOptions = {}): FunctionTool {
  checkOptions('fileOperationsTool', FILE_OPERATIONS_OPTIONS, options)
  const { operations = OPERATIONS, protect = [], maxBytes = 1_000_000, maxEntries = 1000 } = options
  const roots = readRoots('fileOperationsTool', options.roots ?? [process.cwd()])
  if (operations.length === 0) {
    throw new TypeError(`fileOperationsTool: \`operations\` is a list of ${OPERATIONS.join(', ')}.`)
  }
  const checkProtection = createProtection(roots, protect)
  const changes = operations.some((operation) => operation !== 'read' && operation !== 'list')

  /** @throws {ToolFailure} NOT_ALLOWED: it is protected, or one of the folders themselves */
  const locate = (path: string, isChange = true): Place => {
    const place = roots.locate(path)
    if (isChange) checkProtection(place)
    if (place.parts.length > 0) return place
    const message = `${shown(place.path)} is the folder that is worked in. Pass the path of a file in it.`
    throw new ToolFailure('NOT_ALLOWED', message)
  }

  return defineTool({
    name: 'file_operations',
    description: `Works with files: ${operations.join(', ')}. Folders: ${roots.folders.join(', ')}. Relative paths are relative to the first.`,
    risk: changes ? 'risky' : 'safe',
    input: fileInput(operations),
    // Nothing in an operation waits, so that no two of them come between each other.
    async run(input): Promise<FileOperationsResult> {
      checkOperation(input)
      const { operation, path, version, content = '', find = '', replace = '', all = false, destination = '' } = input
      switch (operation) {
        case 'list':
          return listAt(roots.locate(path), input.recursive ?? false, maxEntries)
        case 'read':
          return readAt(locate(path, false), maxBytes)
        case 'write':
          return writeFile(locate(path), content, version, maxBytes)
        case 'edit':
          return editFile(locate(path), { find, replace, all }, version, maxBytes)
        case 'rename':
          return renameFile(locate(path), locate(destination))
        default:
          return deleteFile(locate(path), version, maxBytes)
      }
    },
  })
}

function readAt(place: Place, maxBytes: number): ReadFile {
  const { path } = place
  const { bytes, version } = inFolderOf(place, (folder, name) => readContent(folder, name, path, maxBytes))
  const readable = textOf(bytes)
  const encoding = readable === undefined ? 'base64' : 'utf8'
  return { path, content: readable ?? bytes.toString('base64'), encoding, version, bytes: bytes.length }
}

function listAt({ root, parts, path }: Place, recursive: boolean, maxEntries: number): FileOperationsResult {
  return onPath(path, () => {
    const folder = folderAt(root, parts, path)
    try {
      return { path, ...listFolder(folder, recursive, maxEntries) }
    } finally {
      folder.close()
    }
  })
}

/** @throws {ToolFailure} INPUT_INVALID: it is a file */
function folderAt(root: string, parts: readonly string[], path: string): OpenFolder {
  try {
    return openBelow(root, parts)
  } catch (error) {
    if (!(error instanceof OpenError) || error.kind === 'link' || systemCodeOf(error) !== 'ENOTDIR') throw error
    throw new ToolFailure('INPUT_INVALID', `${shown(path)} is a file, or below one. Pass the path of a folder.`)
  }
}
