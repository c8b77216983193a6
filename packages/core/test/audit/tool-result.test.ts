import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { caller, keeping, open } from './world.ts'

/** The path that the event of a call says was not found. */
async function missingIn(tool: string, input: unknown, result: unknown): Promise<string | undefined> {
  const sink = keeping()
  const { session } = await open(sink)
  await caller(session).call(tool, input, { run: () => result })
  return sink.events.find(({ type }) => type === 'tool.finished')!.missing
}

const missingFile = (result: unknown) => missingIn('Read', { file_path: 'given.md' }, result)
const missingInShell = (command: string, result: unknown) => missingIn('Bash', { command }, result)

describe('a result of a tool', () => {
  it('[OBS-5] reports a missing file from an error of the operating system', async () => {
    const real: unknown = await readFile('/no/such/file').catch((error: unknown) => error)
    expect(await missingFile(real)).toBe('given.md')
    expect(await missingFile(new Error('Could not read it', { cause: real }))).toBe('given.md')
  })

  it.each([
    [{ code: 'ENOENT' }],
    [{ code: 'ENOTDIR' }],
    [{ error: { code: 'ENOENT' } }],
    [{ error: 'ENOENT: no such file or directory' }],
    [new Error('ENOENT: no such file or directory')],
    ['Error: ENOENT: no such file or directory, open x'],
    [new Error("MCP error -32603: ENOENT: no such file or directory, open 'x'")],
    [{ content: [{ type: 'text', text: 'MCP error -32603: ENOENT: no such file or directory' }], isError: true }],
    [[{ type: 'text', text: "Error: ENOENT: no such file or directory, open '/x'" }]],
    ['No such file or directory: docs/a.md'],
    [{ isError: true, content: [{ type: 'text', text: 'Error: ENOENT: no such file or directory' }] }],
    ["FileNotFoundError: [Errno 2] No such file or directory: 'docs/a.md'"],
    ['Error reading file: ENOENT: no such file or directory, open docs/a.md'],
    ['failed to open file: No such file or directory (os error 2)'],
    ['cat: docs/a.md: No such file or directory'],
    [{ exitCode: 1, stderr: 'cat: docs/a.md: No such file or directory' }],
    [{ returncode: 2, output: 'cat: docs/a.md: No such file or directory\n' }],
    [{ code: 1, stdout: '', stderr: 'cat: docs/a.md: No such file or directory' }],
    [
      {
        isError: true,
        content: [{ type: 'text', text: "Error reading a.md: [Errno 2] No such file or directory: 'a.md'" }],
      },
    ],
  ])('[OBS-5] reports a missing file: %j', async (result) => {
    expect(await missingFile(result)).toBe('given.md')
  })

  it.each([
    ['A file that is not found gives the code ENOENT.'],
    ['File does not exist.'],
    ['ENOENTS are creatures.'],
    [{ code: 'EACCES' }],
    [{ content: 'ENOENT' }],
    ['# Errors\n\nFile does not exist.\nThe tool says so where there is none.'],
    [{ isError: false, content: [{ type: 'text', text: 'File does not exist.' }] }],
    [{ content: [{ type: 'text', text: 'File does not exist.' }] }],
    ['The profile was not found useful by its readers, and the file is long.'],
    [{ error: null }],
    ['# Guide\nNo such file or directory'],
    ['The test failed: user not found'],
    ['The function does not exist'],
    ['command not found'],
    ['404 Not Found'],
    [{ exitCode: 0, stdout: 'cat: docs/a.md: No such file or directory' }],
    [{ code: 1, text: 'docs/a.md does not exist' }],
    ['The guide.md file says: a skill that does not exist is an error'],
    [undefined],
    [null],
    [404],
  ])('[OBS-5] reports no missing file: %j', async (result) => {
    expect(await missingFile(result)).toBeUndefined()
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
    ['perl lib/x.pl', 'Can\'t open perl script "lib/x.pl": No such file or directory'],
    ['bun lib/x.ts', 'error: Module not found "lib/x.ts"'],
    ['tsx lib/x.ts', "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/work/lib/x.ts' imported from"],
    ['ruby lib/x.rb', '/usr/bin/ruby: No such file or directory -- lib/x.rb (LoadError)'],
    ['Rscript lib/x.R', "Fatal error: cannot open file 'lib/x.R': No such file or directory"],
    ['jq . docs/a.json', 'jq: error: Could not open docs/a.json: No such file or directory'],
    ['cat docs/a.md', '[stderr] cat: docs/a.md: No such file or directory'],
    ['cat docs/a.md', '<stderr>cat: docs/a.md: No such file or directory</stderr>'],
    ['cat docs/a.md', '\u001B[31mcat: docs/a.md: No such file or directory\u001B[0m\r'],
  ])('[OBS-5] names the missing path: %s', async (command, text) => {
    const path = command.split(' ').find((word) => /\w[./\\]|[./]\w/.test(word))
    expect(await missingInShell(command, text)).toBe(path)
    expect(await missingInShell(command, { exitCode: 1, stdout: '', stderr: text })).toBe(path)
    expect(await missingInShell(command, { isError: true, content: [{ type: 'text', text }] })).toBe(path)
    expect(await missingInShell(command, { exitCode: 0, stdout: text, stderr: '' })).toBeUndefined()
  })

  it.each([
    ['cat docs/errors.md', 'A shell says "No such file or directory" of docs/errors.md.'],
    ['cat docs/a.md', 'grep: other.md: No such file or directory'],
    ['npm test', 'npm: No such file or directory'],
    ['cat docs/a.md', 'all is well'],
  ])('[OBS-5] names no missing path: %s, %s', async (command, text) => {
    expect(await missingInShell(command, text)).toBeUndefined()
  })
})
