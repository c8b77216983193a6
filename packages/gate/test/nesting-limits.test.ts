import { describe, expect, test } from 'vitest'
import { judge, resolveGate } from '../src/internal.ts'
import { scriptUse } from '@repertoire/gate/internal/programs'
import { uncoveredUse } from '../src/shell/prefix.ts'
import { riskOf } from '../src/allow/risk.ts'
import { toolset } from './toolset.ts'

const GATE = resolveGate({ policy: { protect: ['.agent/config.json'] } })

/** Whether a command passes that has nothing to do with the protected file, but may be too much to be read. */
async function passes(command: string): Promise<boolean> {
  return (await judge({ tool: 'Bash', input: { command } }, [], { gate: GATE, tools: toolset(), cwd: '/work' })).allowed
}

/** A command line in as many shells, each in the other: `bash -c "bash -c '…'"`. */
function inShells(line: string, count: number): string {
  return count === 0 ? line : `bash -c ${JSON.stringify(inShells(line, count - 1)).replaceAll('$', String.raw`\$`)}`
}

describe('what is nested deeper than it is read may touch any protected file', () => {
  test('[ABUSE-114] four shells in shells are read, and five are not', async () => {
    for (const [line, byFour] of [
      ['rm -r build', true],
      ['rm -r .agent', false],
    ] as const) {
      expect(await passes(inShells(line, 4))).toBe(byFour)
      expect(await passes(inShells(line, 5))).toBe(false)
    }
  })

  test('[ABUSE-114] eight programs that run programs are read, and nine are not', async () => {
    expect(await passes(`${'nice '.repeat(8)}rm -r build`)).toBe(true)
    expect(await passes(`${'nice '.repeat(9)}rm -r build`)).toBe(false)
  })

  test('[ABUSE-114] thirty-two commands in one are read, and thirty-three are not', async () => {
    const find = (count: number) => `find build ${'-exec rm x ; '.repeat(count)}`.replaceAll(';', String.raw`\;`)
    expect(await passes(find(32))).toBe(true)
    expect(await passes(find(33))).toBe(false)
  })

  test('[ABUSE-114] eight commands for each file that `fd` finds are read, and nine are not', async () => {
    expect(await passes(`fd x build ${'-x rm x '.repeat(8)}`)).toBe(true)
    expect(await passes(`fd x build ${'-x rm x '.repeat(9)}`)).toBe(false)
  })

  test('[ABUSE-114] sixteen changes of the folder are followed, and after seventeen it may be any', async () => {
    const changes = (count: number) => Array.from({ length: count }, (_, index) => `cd /tmp/${index}; `).join('')
    expect(await passes(`${changes(16)}rm config.json`)).toBe(true)
    expect(await passes(`${changes(17)}rm config.json`)).toBe(false)
  })

  test('[ABUSE-114] fifty groups of `find` in groups are read, and fifty-one are not', async () => {
    const find = (groups: number) =>
      `find build ${String.raw`\( `.repeat(groups)}-name x -delete${String.raw` \)`.repeat(groups)}`
    expect(await passes(find(50))).toBe(true)
    expect(await passes(find(51))).toBe(false)
  })

  test('[ABUSE-114] five thousand paths are compared, and more may be any', async () => {
    const digits = '{0,1,2,3,4,5,6,7,8,9}'
    const words = (count: number) =>
      Array.from({ length: count }, (_, index) => `x${index}${digits}${digits}`).join(' ')
    expect(await passes(`cat ${words(50)}`)).toBe(true)
    expect(await passes(`cat ${words(50)} y{1,2}`)).toBe(false)
  })
})

describe('a rule for a program that runs programs', () => {
  test('[GATE-3, GATE-11] is read eight programs deep, and deeper it may run anything', () => {
    const words = (count: number) => `${'uv run '.repeat(count)}git log --oneline`.split(' ')
    expect(uncoveredUse(words(8), words(8).length - 1)).toBeUndefined()
    expect(uncoveredUse(words(9), words(9).length - 1)).toContain('commands within commands')
  })

  test('[GATE-11] is said to run code, and an exact rule is read as deep as that', () => {
    expect(riskOf('timeout 5 git log:*')).toBe('runs-code')
    expect(riskOf('timeout 5 git log')).toBeUndefined()
    expect(riskOf(`${'timeout 5 '.repeat(8)}make`)).toBe('runs-code')
    expect(riskOf(`${'timeout 5 '.repeat(9)}make`)).toBeUndefined()
  })
})

test('[OBS-5] a script is looked for among the first 200 words of a command', () => {
  const skill = { name: 'pdf', location: '/skills/pdf', scripts: ['scripts/fill.py'] }
  const use = (before: number) => {
    const command = `python ${'-u '.repeat(before - 1)}/skills/pdf/scripts/fill.py`
    return scriptUse({ tool: 'Bash', input: { command } }, [skill], { tools: toolset(), cwd: '/work' })
  }
  expect(use(199)).toEqual({ run: { skill: 'pdf', path: 'scripts/fill.py' } })
  expect(use(200)).toEqual({})
})
