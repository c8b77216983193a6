import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isNotFound, missingInShell } from '../../src/audit/tool-result.ts'

describe('a result of a tool', () => {
  it('[OBS-5] says that there is no file where the operating system says so', async () => {
    const real: unknown = await readFile('/no/such/file').catch((error: unknown) => error)
    expect(isNotFound(real)).toBe(true)
    expect(isNotFound(new Error('Could not read it', { cause: real }))).toBe(true)
  })

  it.each([
    [{ code: 'ENOENT' }],
    [{ code: 'ENOTDIR' }],
    [{ error: { code: 'ENOENT' } }],
    [{ error: 'ENOENT: no such file or directory' }],
    [new Error('ENOENT: no such file or directory')],
    ['Error: ENOENT: no such file or directory, open x'],
    ['File does not exist.'],
    ["File '/x' not found"],
    ['Error: The path "docs/a.md" does not exist'],
    ['No such file or directory: docs/a.md'],
    ['Could not find file docs/a.md'],
    ['{"error":"File not found: a.md"}'],
    [{ error: "File '/x' not found" }],
    [{ isError: true, content: [{ type: 'text', text: 'Error: ENOENT: no such file or directory' }] }],
    [{ isError: true, content: [{ type: 'text', text: 'File does not exist.' }] }],
    [{ error: { message: 'The file was not found.' } }],
  ])('[OBS-5] says so: %j', (result) => {
    expect(isNotFound(result)).toBe(true)
  })

  it.each([
    ['A file that is not found gives the code ENOENT.'],
    ['ENOENTS are creatures.'],
    [{ code: 'EACCES' }],
    [{ content: 'ENOENT' }],
    ['# Errors\n\nFile does not exist.\nThe tool says so where there is none.'],
    [{ isError: false, content: [{ type: 'text', text: 'File does not exist.' }] }],
    [{ content: [{ type: 'text', text: 'File does not exist.' }] }],
    ['The profile was not found useful by its readers, and the file is long.'],
    [{ error: null }],
    [undefined],
    [null],
    [404],
  ])('[OBS-5] does not say so: %j', (result) => {
    expect(isNotFound(result)).toBe(false)
  })
})

describe('the result of a command', () => {
  it.each([
    ['python3 scripts/x.py', "python3: can't open file 'scripts/x.py': [Errno 2] No such file or directory"],
    ['python3 scripts/x.py', "python3: can't open file '/work/scripts/x.py': [Errno 2] No such file or directory"],
    ['cat docs/a.md', 'cat: docs/a.md: No such file or directory'],
    ['bash ./x.sh', 'bash: ./x.sh: No such file or directory'],
    ['./x.sh --all', 'bash: line 1: ./x.sh: No such file or directory'],
    ['./x.sh', 'sh: 1: ./x.sh: not found'],
    ['node lib/a.js', "node:internal/modules\n\nError: Cannot find module '/work/lib/a.js'\n    at x"],
    ['ls docs/none', "ls: cannot access 'docs/none': No such file or directory"],
  ])('[OBS-5] names the path that leads nowhere: %s', (command, text) => {
    const words = command.split(' ')
    const path = words.find((word) => word.includes('.') || word.includes('/'))
    expect(missingInShell(words, text)).toBe(path)
    expect(missingInShell(words, { exitCode: 1, stdout: '', stderr: text })).toBe(path)
    expect(missingInShell(words, { isError: true, content: [{ type: 'text', text }] })).toBe(path)
    expect(missingInShell(words, { exitCode: 0, stdout: text, stderr: '' })).toBeUndefined()
  })

  it.each([
    ['cat docs/errors.md', 'A shell says "No such file or directory" of docs/errors.md.'],
    ['cat docs/a.md', 'grep: other.md: No such file or directory'],
    ['npm test', 'npm: No such file or directory'],
    ['cat docs/a.md', 'all is well'],
  ])('[OBS-5] names none: %s, %s', (command, text) => {
    expect(missingInShell(command.split(' '), text)).toBeUndefined()
  })
})
