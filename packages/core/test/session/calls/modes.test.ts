import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type GateMode,
  type HostPolicy,
  type RepertoireOptions,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'

const HOST = ['Bash', 'Read', 'Write', 'Grep', 'Glob', 'Deploy', 'LS']

const skill = (name: string, fields: string): Record<string, string> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody.\n`,
  'scripts/go.sh': 'echo',
})

const source = memorySource({
  layer: 'project',
  skills: {
    reader: skill('reader', 'allowed-tools: Read Bash(git log:*)\n'),
    wide: skill('wide', 'allowed-tools: Read Write Bash\n'),
    taking: skill('taking', 'disallowed-tools: Write\n'),
    free: skill('free', ''),
  },
})

async function open(
  session: AdapterSessionOptions = {},
  repertoire: Partial<RepertoireOptions> = {},
): Promise<AdapterSession> {
  const opened = await openRepertoire({ sources: [source], ...repertoire })
  return openAdapterSession(opened, { consent: () => true, hostTools: HOST, cwd: '/project', ...session })
}

async function activate(session: AdapterSession, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const outcome = await session.call({ id: name, tool: 'activate_skill', input: { name } }, () => undefined)
    expect(outcome).toMatchObject({ ok: true })
  }
}

/** `ok` where the tool ran, else the refusal's code; and that nothing ran if it was refused. */
async function call(session: AdapterSession, tool: string, input: unknown): Promise<string> {
  let ran = false
  const outcome = await session.call({ id: 'c', tool, input }, () => {
    ran = true
  })
  expect(ran).toBe(outcome.ok)
  return outcome.ok ? 'ok' : outcome.refusal.code
}

const write = { file_path: 'a.txt', content: 'x' }
const gitLog = { command: 'git log --oneline' }

describe('a session in one of the modes', () => {
  it('[GATE-8] restricts unless the host says otherwise', async () => {
    const session = await open()
    await activate(session, 'reader')
    expect(await call(session, 'Write', write)).toBe('TOOL_NOT_ALLOWED')
    expect((await session.preview({ id: 'c', tool: 'Read', input: { file_path: 'a' } })).preapproved).toBe(false)
  })

  it('[GATE-8] preapproves what a skill lists, and refuses nothing that it does not', async () => {
    const session = await open({ enforcement: 'preapprove' })
    const preapproved = (tool: string, input: unknown) =>
      session.preview({ id: 'c', tool, input }).then((inspected) => inspected.preapproved)
    expect(await preapproved('Read', { file_path: 'a' })).toBe(false)
    await activate(session, 'reader')
    expect(await call(session, 'Write', write)).toBe('ok')
    expect(await preapproved('Write', write)).toBe(false)
    expect(await preapproved('read', { file_path: 'a' })).toBe(true)
    expect(await preapproved('Bash', gitLog)).toBe(true)
    expect(await preapproved('Bash', { command: 'git log; rm -r x' })).toBe(false)
    expect(await preapproved('Bash', 'no JSON')).toBe(false)
    expect(await preapproved('activate_skill', { name: 'wide' })).toBe(false)
    expect(await preapproved('Nothing', {})).toBe(false)
  })

  it('[GATE-8, ACT-15, ABUSE-145] preapproves nothing that was agreed to under another mode, before the session was saved', async () => {
    for (const enforcement of ['restrict', 'advisory', 'preapprove'] as const) {
      const session = await open({ enforcement })
      await activate(session, 'wide')
      const later = await open({ saved: session.save(), enforcement: 'preapprove' })
      const { preapproved } = await later.preview({ id: 'c', tool: 'Read', input: { file_path: 'a' } }, { asks: true })
      expect([enforcement, preapproved]).toEqual([enforcement, enforcement === 'preapprove'])
    }
  })

  it('[GATE-8, GATE-4] preapproves no reading of a script, and still refuses it', async () => {
    const session = await open({ enforcement: 'preapprove' })
    await activate(session, 'reader')
    const [active] = session.state.active
    const read = { file_path: `${active!.location}/scripts/go.sh` }
    expect((await session.preview({ id: 'c', tool: 'Read', input: read })).preapproved).toBe(false)
    expect(await call(session, 'Read', read)).toBe('SCRIPT_READ_BLOCKED')
  })

  it('[GATE-8] preapproves only what every active skill with a list lists, or the top one alone', async () => {
    const narrow = await open({ enforcement: 'preapprove' })
    await activate(narrow, 'reader', 'wide', 'free')
    expect((await narrow.preview({ id: 'c', tool: 'Write', input: write })).preapproved).toBe(false)
    expect((await narrow.preview({ id: 'c', tool: 'Read', input: { file_path: 'a' } })).preapproved).toBe(true)
    const top = await open({ enforcement: { mode: 'preapprove', from: 'top' } })
    await activate(top, 'reader', 'wide')
    expect((await top.preview({ id: 'c', tool: 'Write', input: write })).preapproved).toBe(true)
  })

  it('[GATE-8, MAN-7] takes away what a skill disallows, unless the mode is to advise', async () => {
    for (const [mode, outcome] of [
      ['restrict', 'TOOL_NOT_ALLOWED'],
      ['preapprove', 'TOOL_NOT_ALLOWED'],
      ['advisory', 'ok'],
    ] as const) {
      const session = await open({ enforcement: mode })
      await activate(session, 'taking')
      expect({ mode, outcome: await call(session, 'Write', write) }).toEqual({ mode, outcome: outcome })
    }
  })

  it('[GATE-8] refuses nothing in the mode `advisory`, whatever the skills list', async () => {
    const session = await open({ enforcement: 'advisory' })
    await activate(session, 'reader')
    expect((await session.step({ tools: HOST })).isHidden('Write')).toBe(false)
    expect(await call(session, 'Write', write)).toBe('ok')
    expect(await call(session, 'Bash', { command: 'rm -r x; echo' })).toBe('ok')
    expect(await call(session, 'Nothing', {})).toBe('TOOL_UNKNOWN')
  })

  it('[GATE-8] hides in each mode only what is refused', async () => {
    for (const [mode, hidden] of [
      ['restrict', true],
      ['preapprove', false],
      ['advisory', false],
    ] as const) {
      const session = await open({ enforcement: mode, policy: { deny: ['Deploy'] } })
      await activate(session, 'reader')
      const view = await session.step({ tools: HOST })
      expect({ mode, outcome: view.isHidden('Write') }).toEqual({ mode, outcome: hidden })
      expect({ mode, outcome: view.isHidden('Deploy') }).toEqual({ mode, outcome: true })
    }
  })

  it('[GATE-6] lets the top skill alone decide where the host says so', async () => {
    const session = await open({ enforcement: { from: 'top' } })
    await activate(session, 'reader', 'wide')
    expect(await call(session, 'Write', write)).toBe('ok')
    await session.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => undefined)
    expect(await call(session, 'Write', write)).toBe('TOOL_NOT_ALLOWED')
  })

  it('[GATE-6, GATE-4] guards the scripts of every active skill, whichever is on top', async () => {
    const session = await open({ enforcement: { from: 'top' } })
    await activate(session, 'reader', 'free')
    const read = { file_path: `${session.state.active[0]!.location}/scripts/go.sh` }
    expect(await call(session, 'Read', read)).toBe('SCRIPT_READ_BLOCKED')
  })

  it.each([
    [
      { enforcement: 'lax' as GateMode },
      '`enforcement` is "lax". Give "restrict", "preapprove" or "advisory", or an object { mode, from }.',
    ],
    [
      { enforcement: { mode: 'lax' as GateMode } },
      '`enforcement.mode` is "lax". Give "restrict", "preapprove" or "advisory".',
    ],
    [{ enforcement: { from: 3 as never } }, '`enforcement.from` is 3. Give "all" or "top".'],
    [
      { policy: 'Read' as HostPolicy },
      '`policy` is "Read". Give an object { allow, deny, ask, protect, programs, safeGit }.',
    ],
    [{ policy: { protect: [''] } }, '`policy.protect[0]` is empty.'],
  ])('[GATE-8] tells of an option that there is not: %j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message)
    await expect(open({}, options)).rejects.toThrow(message)
  })
})

describe("the host's policy", () => {
  it('[GATE-8, ABUSE-32] holds in every mode, with and without a skill, whatever the skill allows itself', async () => {
    for (const mode of ['restrict', 'preapprove', 'advisory'] as const) {
      const session = await open({
        enforcement: mode,
        policy: { allow: ['Read', 'Bash(git:*)'], deny: ['Bash(git push:*)'] },
      })
      for (const names of [[], ['wide']]) {
        await activate(session, ...names)
        expect({ mode, outcome: await call(session, 'Write', write) }).toEqual({ mode, outcome: 'TOOL_NOT_ALLOWED' })
        expect({ mode, outcome: await call(session, 'Bash', { command: 'git push origin' }) }).toEqual({
          mode,
          outcome: 'TOOL_NOT_ALLOWED',
        })
        expect({ mode, outcome: await call(session, 'Bash', { command: 'make' }) }).toEqual({
          mode,
          outcome: 'TOOL_NOT_ALLOWED',
        })
        expect({ mode, outcome: await call(session, 'Bash', gitLog) }).toEqual({ mode, outcome: 'ok' })
      }
      expect((await session.preview({ id: 'c', tool: 'Write', input: write })).preapproved).toBe(false)
    }
  })

  it('[GATE-8] of a session narrows that of the repertoire, and cannot widen it', async () => {
    const session = await open({ policy: { allow: ['Read', 'Write'] } }, { policy: { allow: ['Read', 'Grep'] } })
    expect(await call(session, 'Read', { file_path: 'a' })).toBe('ok')
    expect(await call(session, 'Write', write)).toBe('TOOL_NOT_ALLOWED')
    expect(await call(session, 'Grep', { pattern: 'x', path: 'src' })).toBe('TOOL_NOT_ALLOWED')
  })

  it('[GATE-7] tells the model whose rule it is, and which are in force', async () => {
    const session = await open({ policy: { allow: ['Read'], deny: ['Deploy'] } })
    const denied = await session.call({ id: 'c', tool: 'Deploy', input: {} }, () => undefined)
    expect(denied.text).toContain(`\\"Deploy\\" may not be used here: the host's policy disallows Deploy.`)
    const outcome = await session.call({ id: 'c', tool: 'Write', input: write }, () => undefined)
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'TOOL_NOT_ALLOWED', allowedTools: ['Read'] } })
    expect(outcome.text).toContain(`may not be used here: the host's policy allows only Read.`)
  })

  it('[GATE-2] allows no tool but the skill tools where its list is empty', async () => {
    const session = await open({ policy: { allow: [] } })
    await activate(session, 'free')
    expect(await call(session, 'Read', { file_path: 'a' })).toBe('TOOL_NOT_ALLOWED')
    const left = await session.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => undefined)
    expect(left.ok).toBe(true)
  })

  it.each(['Bash(git:*', '*', 'Bash()', 'Read Write'])(
    '[ABUSE-33] is refused, and never read as more, where a rule is malformed: %j',
    async (rule) => {
      for (const key of ['allow', 'deny'] as const) {
        await expect(open({ policy: { [key]: [rule] } })).rejects.toThrow(`\`policy.${key}\` holds`)
      }
    },
  )

  it('[ABUSE-33] is refused where it is not a list of strings', async () => {
    for (const allow of ['Read', [1], [''], null] as never[]) {
      await expect(open({ policy: { allow } })).rejects.toThrow(/^open\w+: `policy\.allow(\[0\])?` is /)
    }
  })

  it('[GATE-8, GATE-6] is never widened by any skills in any mode', async () => {
    const tool = fc.constantFrom('Read', 'Write', 'Grep', 'Deploy')
    const names = fc.uniqueArray(fc.constantFrom('reader', 'wide', 'taking', 'free'))
    const mode = fc.constantFrom<GateMode>('restrict', 'preapprove', 'advisory')
    const law = fc.asyncProperty(fc.uniqueArray(tool), names, mode, tool, async (allow, skills, modeOf, called) => {
      const session = await open({ enforcement: modeOf, policy: { allow } })
      await activate(session, ...skills)
      const outcome = await call(session, called, { file_path: 'a', path: 'a', pattern: 'x' })
      if (!allow.includes(called)) expect(outcome).toBe('TOOL_NOT_ALLOWED')
    })
    await fc.assert(law, { numRuns: 60 })
  })
})

describe('protected files', () => {
  const protect = ['/project/.repertoire/config.json', 'consent.db']

  it.each([
    ['Write', { file_path: '/project/.repertoire/config.json' }],
    ['Write', { file_path: '.repertoire/../.repertoire//CONFIG.json' }],
    ['Write', { file_path: './consent.db' }],
    ['Read', { file_path: 'file:///project/consent.db' }],
    ['Read', { file_path: '.repertoire/*.json' }],
    ['Bash', { command: `cat > .repertoire/con"fig".json` }],
    ['Bash', { command: 'cd /tmp; cp x /project/CONSENT.DB' }],
    ['Deploy', { nested: [{ target: 'consent.db' }] }],
    ['Deploy', { 'consent.db': true }],
    // Through a link that every process has.
    ['Write', { file_path: '/proc/self/cwd/consent.db' }],
    ['Write', { file_path: '/proc/1/root/project/consent.db' }],
    // By an argument that nobody has declared, or that is not text.
    ['Write', { filePath: '/project/consent.db' }],
    ['Write', { file_path: 'a.txt', edits: [{ file_path: 'consent.db' }] }],
    ['Write', { file_path: { path: '/project/consent.db' } }],
    ['Write', { file_path: 'con\u017Fent.db' }],
    ['Write', { file_path: 'con\u200Csent.db' }],
    // By what a shell expands.
    ['Bash', { command: 'rm .repertoire/conf*' }],
    ['Bash', { command: 'echo x>.rep?rtoire/"con"fig.jso[n]' }],
    ['Bash', { command: 'rm /project/.repertoire/{config,other}.json' }],
  ])('[ABUSE-97] are named by no call: %s %j', async (tool, input) => {
    for (const mode of ['restrict', 'advisory'] as const) {
      const session = await open({ enforcement: mode, policy: { protect } })
      await activate(session, 'free')
      expect({ mode, outcome: await call(session, tool, input) }).toEqual({ mode, outcome: 'TOOL_NOT_ALLOWED' })
    }
  })

  it.each([
    ['Write', { file_path: '/project/config.json' }],
    ['Write', { file_path: '.repertoire/skills/x/SKILL.md' }],
    ['LS', { path: '.repertoire' }],
    ['Glob', { pattern: '**/*' }],
    ['Grep', { pattern: '.*error' }],
    ['Grep', { pattern: '.*', path: 'src' }],
    ['Bash', { command: 'git status' }],
    ['Bash', { command: 'ls */*.ts; cat .repertoire/skills/*' }],
    ['Write', { file_path: 'a.md', content: 'The file consent.db is protected, and so are *.db.' }],
    ['Deploy', { target: 'prod', times: 3, none: null }],
  ])('[ABUSE-97] leave other calls alone: %s %j', async (tool, input) => {
    const session = await open({ policy: { protect } })
    expect(await call(session, tool, input)).toBe('ok')
  })

  it.each([
    ['../policy.json', '/policy.json'],
    ['/project/x/../policy.json', 'policy.json'],
    ['./sub/../policy.json', '/project/policy.json'],
  ])('[ABUSE-97] are the same however the host writes them: %s', async (file, written) => {
    const session = await open({ policy: { protect: [file] } })
    expect(await call(session, 'Write', { file_path: written })).toBe('TOOL_NOT_ALLOWED')
  })

  it('[ABUSE-97] are known by the end of their path where no working folder is', async () => {
    const session = await open({ cwd: undefined as never, policy: { protect: ['.repertoire/config.json'] } })
    expect(await call(session, 'Write', { file_path: '/project/.repertoire/config.json' })).toBe('TOOL_NOT_ALLOWED')
    expect(await call(session, 'Write', { file_path: '/project/config.json' })).toBe('ok')
  })

  it('[ABUSE-97] of the repertoire stay protected in a session that names others', async () => {
    const session = await open({ policy: { protect: ['/b'] } }, { policy: { protect: ['/a'] } })
    expect(await call(session, 'Write', { file_path: '/a' })).toBe('TOOL_NOT_ALLOWED')
    expect(await call(session, 'Write', { file_path: '/b' })).toBe('TOOL_NOT_ALLOWED')
    expect(await call(session, 'Write', { file_path: '/c' })).toBe('ok')
  })
})
