import { DEFAULT_TOOL_NAMES } from '../../../src/index.ts'
import type { ActiveSkill } from '../../../src/adapter.ts'
import { describe, expect, it } from 'vitest'
import { type GateOptions, openToolTable, resolveGate, scriptReason } from '../../../src/gate/index.ts'
import { gateCall, isPreapproved } from '../../../src/session/calls/gate-call.ts'

const HOST = ['Bash', 'Read', 'Write', 'Grep']

const active: readonly ActiveSkill[] = [
  {
    name: 'reader',
    layer: 'project',
    source: 's',
    location: '/skills/reader',
    digest: 'd',
    rules: [{ tool: 'Read' }, { tool: 'Grep' }],
    scripts: ['scripts/go.sh'],
  },
]

/** The parts of a session by which its calls are judged. */
const contextOf = (options: GateOptions) => ({
  tools: openToolTable({}),
  cwd: '/p',
  gate: resolveGate(options),
  toolNames: DEFAULT_TOOL_NAMES,
  scripts: undefined,
})

const judge = (options: GateOptions, tool: string, input: unknown) =>
  gateCall(contextOf(options), active, HOST, { id: 'c', tool, input })

const script = {
  file_path: '/skills/reader/scripts/go.sh',
}
const write = { file_path: 'a', content: 'x' }

describe('a call', () => {
  it('[GATE-2, ABUSE-44] goes on under the name by which the host knows the tool, where it told its tools', async () => {
    expect(await judge({}, 'READ', { file_path: 'a' })).toEqual({
      ok: true,
      value: { id: 'c', tool: 'Read', input: { file_path: 'a' } },
    })
    expect(await judge({}, 'Nothing', {})).toMatchObject({ ok: false, refusal: { code: 'TOOL_UNKNOWN' } })
    const told = await gateCall(contextOf({ mode: 'advisory' }), active, undefined, { id: 'c', tool: 'OWN', input: {} })
    expect(told).toMatchObject({ ok: true, value: { tool: 'OWN' } })
  })

  it('[GATE-7] whose arguments are not an object is refused as such', async () => {
    expect(await judge({}, 'Read', '{"file_path":')).toMatchObject({ ok: false, refusal: { code: 'INPUT_INVALID' } })
  })

  it.each(['restrict', 'preapprove'] as const)(
    '[GATE-4, GATE-8] that reads a script is refused in the mode %s',
    async (mode) => {
      expect(await judge({ mode }, 'Read', script)).toMatchObject({
        ok: false,
        refusal: { code: 'SCRIPT_READ_BLOCKED', reason: expect.stringContaining('Run it with "Bash"') },
      })
    },
  )

  it('[GATE-8, OBS-1] goes on in the mode advisory, with what a skill would have said', async () => {
    const advised = async (tool: string, input: unknown) => {
      const judged = await judge({ mode: 'advisory' }, tool, input)
      expect(judged.ok).toBe(true)
      return judged.ok && 'advised' in judged ? judged.advised?.code : 'nothing'
    }
    expect(await advised('Read', { file_path: 'a' })).toBe('nothing')
    expect(await advised('Write', write)).toBe('TOOL_NOT_ALLOWED')
    expect(await advised('Read', script)).toBe('SCRIPT_READ_BLOCKED')
  })

  it.each(['restrict', 'preapprove', 'advisory'] as const)(
    '[GATE-8, ABUSE-97] in the mode %s, that names a file of the host’s is refused, and told which',
    async (mode) => {
      const options: GateOptions = { mode, policy: { protect: ['policy.json'] } }
      expect(await judge(options, 'Read', { file_path: './policy.json' })).toMatchObject({
        ok: false,
        refusal: {
          code: 'TOOL_NOT_ALLOWED',
          reason: '"Read" may not be used like this here: it names "policy.json", which the host\'s policy protects.',
        },
      })
      expect(await judge(options, 'Read', { file_path: 'other.json' })).toMatchObject({ ok: true })
    },
  )
})

describe('approval', () => {
  it('[GATE-8] is needless for what every list names, in the mode preapprove alone', async () => {
    const call = { id: 'c', tool: 'Read', input: { file_path: 'a' } }
    for (const [mode, expected] of [
      ['restrict', false],
      ['preapprove', true],
      ['advisory', false],
    ] as const) {
      expect(await isPreapproved(contextOf({ mode }), active, HOST, call)).toBe(expected)
    }
    const context = contextOf({ mode: 'preapprove' })
    expect(await isPreapproved(context, [], HOST, call)).toBe(false)
    expect(await isPreapproved(context, active, HOST, { ...call, input: script })).toBe(false)
    expect(await isPreapproved(context, active, HOST, { id: 'c', tool: 'Write', input: write })).toBe(false)
  })
})

describe('a script that is not read', () => {
  const found = { skill: 'reader', location: '/skills/reader', path: 'scripts/go.sh' }

  it('[GATE-4] is told with the way to run it, or that there is none', () => {
    expect(scriptReason(found, { shell: { name: 'Bash', argument: 'command' } })).toBe(
      '"scripts/go.sh" is a script of the active skill "reader": scripts are run, not read. Run it with "Bash": `/skills/reader/scripts/go.sh`. Then only its output takes up context.',
    )
    expect(scriptReason(found, {})).toBe(
      '"scripts/go.sh" is a script of the active skill "reader": scripts are run, not read. There is no tool here that runs it: the host would need the option `runner` of `openRepertoire`.',
    )
  })

  it('[GATE-4] is told with the pattern or the folder that takes it in, shortened', () => {
    expect(scriptReason({ ...found, within: '/skills/**' }, { shell: { name: 'Bash', argument: 'command' } })).toBe(
      '"/skills/**" includes scripts. "scripts/go.sh" is a script of the active skill "reader": scripts are run, not ' +
        'read. Run it with "Bash": `/skills/reader/scripts/go.sh`. Then only its output takes up context. To read other files, name them.',
    )
    expect(
      scriptReason({ ...found, within: 'x'.repeat(300) }, { shell: { name: 'Bash', argument: 'command' } }),
    ).toMatch(/^"x{200}…" includes scripts\. /)
  })
})
