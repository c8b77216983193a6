import process from 'node:process'
import { expect } from 'vitest'
import { ordinaryFolder, quickFolder } from './quick-folder.ts'

/** Their tests write small files, many of them, and much of it synced. Sandboxes see another `/dev`, so theirs lie elsewhere. */
const QUICK = /[/\\]packages[/\\](?:core|library|storage)[/\\]/

// A worker runs files of several packages.
const folder = QUICK.test(expect.getState().testPath ?? '') ? (quickFolder() ?? ordinaryFolder) : ordinaryFolder
if (folder === undefined) delete process.env['TMPDIR']
else process.env['TMPDIR'] = folder
