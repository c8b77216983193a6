import { describe, expect, it } from 'vitest'
import type { ConsentRequest, ScriptInspection, ScriptRunner } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { call, openScripts, processRunner, use } from './script-world.ts'

const NEEDS: ScriptInspection['missing'] = [
  { kind: 'command', name: 'curl', line: 1, certain: true },
  { kind: 'command', name: 'git\u202E', line: 2, certain: true },
  { kind: 'command', name: 'docker', line: 3, certain: false },
]

/** Lacks something for one script, and refuses another. */
const inspect: NonNullable<ScriptRunner['inspect']> = async ({ script }) => ({
  missing: script === 'scripts/args.sh' ? NEEDS : script === 'scripts/wait.sh' ? NEEDS.slice(2) : [],
  unknown: [],
  ...(script === 'scripts/fail.sh' && { refused: [{ path: script, line: 1, reason: 'it reads\nsomething else' }] }),
})

/** What the skill `tool` is asked for with. */
async function askedFor(runner: ScriptRunner): Promise<ConsentRequest> {
  const asked: ConsentRequest[] = []
  const { session } = await openScripts({ scripts: { runner } }, { consent: (request) => asked.push(request) > 0 })
  expect(code(await use(session, 'tool'))).toBe('ok')
  return asked[0]!
}

describe('a request for consent', () => {
  it('[RUN-8] [ASK-1] names the scripts that would not run here, and those that use what is not there', async () => {
    const { scriptChecks, text } = await askedFor(processRunner({ inspect }))
    expect(scriptChecks?.map(({ path }) => path)).toEqual([
      'scripts/args.sh',
      'scripts/danger.sh',
      'scripts/fail.sh',
      'scripts/gem.rb',
    ])
    const lines = text.split('\n').filter((line) => /^ {2}(?:lacks here|cannot run): /.test(line))
    expect(lines).toEqual([
      String.raw`  lacks here:    scripts/args.sh uses curl, git\u{202E}`,
      expect.stringContaining('cannot run:    "scripts/danger.sh" is not run: line 1 holds a dangerous pattern'),
      expect.stringMatching(
        /cannot run: {4}"scripts\/fail\.sh" cannot be run by the runner "process": line 1: it reads/,
      ),
      expect.stringContaining('cannot run:    "scripts/gem.rb" cannot be run: it needs "ruby"'),
    ])
    expect(text).not.toContain('docker')
  })

  it('[RUN-8] [ASK-5] names them also where it is answered later, with the same id as without', async () => {
    const idOf = async (runner: ScriptRunner): Promise<ConsentRequest> => {
      const { session } = await openScripts({ scripts: { runner } }, { id: 'one', consent: undefined })
      const activation = { id: 'c1', tool: 'activate_skill', input: { name: 'tool' } }
      return (await session.openConsent(activation))!
    }
    const [told, untold] = [await idOf(processRunner({ inspect })), await idOf(processRunner())]
    expect(told.text).toContain('\n  lacks here:    scripts/args.sh uses curl')
    expect(untold.text).not.toContain('lacks here')
    expect(untold.scriptChecks).toBeUndefined()
    expect(told.id).toBe(untold.id)
  })

  it('[RUN-8] says nothing of scripts where the runner fails to read them, and activates all the same', async () => {
    const runner = processRunner({ inspect: () => Promise.reject(new Error('broken')), supports: () => true })
    const { scriptChecks } = await askedFor(runner)
    expect(scriptChecks?.map(({ path }) => path)).toEqual(['scripts/danger.sh'])
  })

  it('[RUN-8] names ten scripts, and how many more there are', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`scripts/${index}.rb`, 'puts 1']))
    const skills = { many: { 'SKILL.md': '---\nname: many\ndescription: Many.\n---\n', ...files } }
    const asked: ConsentRequest[] = []
    const consent = (request: ConsentRequest): boolean => asked.push(request) > 0
    const { session } = await openScripts({ scripts: { runner: processRunner({ inspect }) } }, { consent }, skills)
    await call(session, 'activate_skill', { name: 'many' })
    expect(asked[0]?.text.match(/cannot run:/g)).toHaveLength(10)
    expect(asked[0]?.text).toContain('\n  and more:      2 other scripts cannot run here, or lack something')
  })
})
