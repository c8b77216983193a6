import { openBubblewrapRunner } from '@repertoire/runners'
import { isMissing } from '@repertoire/test-servers'
import { describe, expect, it } from 'vitest'
import { sandboxInspection } from '../src/bubblewrap/inspect.ts'

const file = (path: string, content = '') => ({ path, bytes: Buffer.from(content), executable: false })

/** What is said of a script in a sandbox with these programs, which answers so. */
function inspect(
  script: ReturnType<typeof file>,
  interpreter: string,
  answers: Readonly<Record<string, string>> = {},
  others: readonly ReturnType<typeof file>[] = [],
) {
  const asked: string[] = []
  const ask = async ([program = '']: readonly string[]): Promise<string | undefined> => {
    asked.push(program)
    return answers[program]
  }
  const answer = sandboxInspection(
    new Set(['sed', 'git', 'python3', 'node']),
    ask,
  )({
    interpreter,
    script: script.path,
    files: [script, ...others],
  })
  return Promise.resolve(answer).then(({ missing, unknown }) => ({
    lacks: missing.map(({ name, line, certain }) => `${name}:${line}${certain ? '' : '?'}`),
    unknown,
    asked,
  }))
}

describe('what a script uses that the sandbox does not show', () => {
  it('[RUN-8] is told of shell scripts by the programs of the sandbox', async () => {
    const script = file(
      'scripts/run.sh',
      'set -e\ntrap "echo end" EXIT\ngit status | sed s/a/b/\nnosuch x\nif true; then rarely; fi\nown\n"$TOOL" x\n',
    )
    expect(await inspect(script, 'bash', {}, [file('scripts/lib.sh', 'own() { :; }')])).toEqual({
      lacks: ['nosuch:4', 'rarely:5?'],
      unknown: [7],
      asked: [],
    })
    // What a shell may understand that this reader does not.
    expect((await inspect(file('a.sh', 'select x in a; do nosuch; done'), 'bash')).lacks).toEqual([])
  })

  it('[RUN-8] is told of Python by the modules that Python has inside, and those of the skill', async () => {
    const modules = { python3: 'os\nsys\nyaml' }
    const script = file('scripts/run.py', 'import os, yaml, requests\nfrom lib.x import y\nimport helper, far\n')
    const others = [file('scripts/lib/x.py'), file('scripts/helper.py'), file('scripts/deep/far.py')]
    expect(await inspect(script, 'python3', modules, others)).toMatchObject({
      lacks: ['requests:1', 'far:3'],
      asked: ['python3'],
    })
    const path = file('scripts/run.py', 'import sys\nsys.path.insert(0, "scripts/deep")\nimport far\n')
    expect((await inspect(path, 'python3', modules, others)).lacks).toEqual([])
    expect((await inspect(script, 'python3', {}, others)).lacks).toEqual([])
  })

  it.each([
    ['v20.20.2', ['node 22.18 or later:1']],
    ['v22.17.1', ['node 22.18 or later:1']],
    ['v23.5.0', ['node 22.18 or later:1']],
    ['v22.18.0', []],
    ['v23.6.0', []],
    ['v24.0.0', []],
  ])('[RUN-8] is a newer Node for TypeScript, where that is %s', async (node, lacks) => {
    expect((await inspect(file('a.ts', 'const a: number = 1'), 'node', { node })).lacks).toEqual(lacks)
    expect((await inspect(file('a.mjs', ''), 'node', { node })).asked).toEqual([])
  })

  it('[RUN-8] may be a package of Node', async () => {
    const script = file(
      'a.mjs',
      `import 'node:fs'\nimport './own.mjs'\nimport x from 'axios'\nimport fs from 'fs/promises'\n`,
    )
    expect((await inspect(script, 'node')).lacks).toEqual(['axios:3?'])
  })

  it.skipIf(isMissing('bubblewrap'))('[RUN-8] is known of the real sandbox (needs bubblewrap)', async () => {
    const runner = await openBubblewrapRunner()
    try {
      const shell = [file('a.sh', 'sed -n 1p\nno-such-program\n')]
      expect(await runner.inspect!({ interpreter: 'sh', script: 'a.sh', files: shell })).toEqual({
        missing: [{ kind: 'command', name: 'no-such-program', line: 2, certain: true }],
        unknown: [],
      })
      expect(runner.supports('python3')).toBe(true)
      const python = [file('a.py', 'import json, no_such_module\n')]
      expect(await runner.inspect!({ interpreter: 'python3', script: 'a.py', files: python })).toEqual({
        missing: [{ kind: 'module', name: 'no_such_module', line: 1, certain: true }],
        unknown: [],
      })
    } finally {
      await runner.close?.()
    }
  })
})
