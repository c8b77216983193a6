import { createSdkMcpServer, type Options, tool as mcpTool } from '@anthropic-ai/claude-agent-sdk'
import { memorySessions } from '@repertoire/core'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { describe, expect, it, vi } from 'vitest'
import { claudeAgent, queryOptions } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import { activate as activateSkill, bash, call, last, open as openSkills } from './task.ts'

// Every query starts a process, which takes its time on a loaded machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const open = () => openSkills({ careful: 'description: Looks first.\nallowed-tools: Read Agent\n---\nLOOK FIRST.' })
const activate = activateSkill('careful')

describe.skipIf(lacksClaudeCode())('queries with the real child process (needs Claude Code)', () => {
  const playScript = useEndpoint()

  function play(script: Parameters<typeof playScript>[0]) {
    const { options, ...played } = playScript(script)
    const own: Options = { ...options, tools: ['Bash', 'Read', 'Agent'], allowedTools: ['Bash', 'Agent'] }
    return { ...played, options: own }
  }

  it("[ADPT-8, GATE-1] runs Claude Code's own tools, and refuses them where the active skill does not allow them", async () => {
    const { options, resultOf } = play([bash('echo one'), activate, bash('echo two'), { text: 'Done.' }])
    const agent = claudeAgent({ repertoire: await open(), session: { consent: () => true }, options })
    expect(await last(agent.query('Hello'))).toMatchObject({ subtype: 'success', result: 'Done.' })
    expect(resultOf('call_1_1')).toBe('one')
    expect(resultOf('call_2_1')).toContain('LOOK FIRST.')
    expect(resultOf('call_3_1')).toContain('TOOL_NOT_ALLOWED')
  })

  it("[ADPT-8, ADPT-10, GATE-1, ABUSE-151] runs the tools of the host's own MCP servers, and judges them like all others", async () => {
    const ran: string[] = []
    const look = mcpTool('look', 'Looks.', {}, async () => {
      ran.push('look')
      return { content: [{ type: 'text', text: 'Seen.' }] }
    })
    const mine = { calls: [{ tool: 'mcp__mine__look', input: {} }] }
    const { options, resultOf } = play([mine, activate, mine, { text: 'Done.' }])
    const mcpServers = { mine: createSdkMcpServer({ name: 'mine', tools: [look], alwaysLoad: true }) }
    const own = { ...options, mcpServers, allowedTools: ['mcp__mine__look'] }
    const agent = claudeAgent({ repertoire: await open(), session: { consent: () => true }, options: own })
    expect(await last(agent.query('Hello'))).toMatchObject({ result: 'Done.' })
    expect([ran, resultOf('call_1_1')]).toEqual([['look'], 'Seen.'])
    expect(resultOf('call_3_1')).toContain('TOOL_NOT_ALLOWED')
  })

  it('[ADPT-10] answers in the form of `outputFormat`, also while a skill restricts', async () => {
    const answer = { calls: [{ tool: 'StructuredOutput', input: { size: 3 } }] }
    const schema = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] }
    const { options } = play([activate, answer, { text: 'Done.' }])
    const own = { ...options, outputFormat: { type: 'json_schema' as const, schema } }
    const agent = claudeAgent({ repertoire: await open(), session: { consent: () => true }, options: own })
    expect(await last(agent.query('Hello'))).toMatchObject({ subtype: 'success', structured_output: { size: 3 } })
  })

  it('[ADPT-8, GATE-5] continues a conversation and its active skills by the id of Claude Code', async () => {
    const { options, resultOf } = play([activate, { text: 'Active.' }, bash('id'), { text: 'Done.' }])
    const agent = claudeAgent({
      repertoire: await open(),
      sessions: memorySessions(),
      session: { consent: () => true },
      options,
    })
    const first = await last(agent.query('Hello'))
    expect(await last(agent.query('Go on', { resume: first.session_id }))).toMatchObject({ result: 'Done.' })
    expect(resultOf('call_3_1')).toContain('TOOL_NOT_ALLOWED')
  })

  it('[ADPT-8, ASK-5] asks about a skill by canUseTool, with the text of the request', async () => {
    for (const behavior of ['allow', 'deny'] as const) {
      const { options, resultOf } = play([activate, { text: 'Done.' }])
      const asked: (string | undefined)[] = []
      const canUseTool: NonNullable<Options['canUseTool']> = async (tool, _, { title }) => {
        asked.push(tool, title)
        return behavior === 'allow' ? { behavior } : { behavior, message: 'No.' }
      }
      const agent = claudeAgent({ repertoire: await open(), options: { ...options, canUseTool } })
      await last(agent.query('Hello'))
      expect(asked).toEqual(['mcp__skills__activate_skill', expect.stringContaining('Activate the skill "careful"?')])
      expect(resultOf('call_1_1')).toContain(behavior === 'allow' ? 'LOOK FIRST.' : 'CONSENT_DENIED')
    }
  })

  it("[ADPT-8, ABUSE-139] judges the agents of the SDK by the session's skills, which they cannot deactivate", async () => {
    const agent = {
      calls: [{ tool: 'Agent', input: { subagent_type: 'helper', description: 'Help', prompt: 'Help me.' } }],
    }
    const deactivate = call('deactivate_skill')
    const { options, resultOf, model } = play([
      activate,
      agent,
      deactivate,
      bash('id'),
      { text: 'Helped.' },
      { text: 'Done.' },
    ])
    const helper = { description: 'Helps.', prompt: 'You help.', background: false }
    const skilled = claudeAgent({
      repertoire: await open(),
      session: { consent: () => true },
      options: { ...options, agents: { helper } },
    })
    expect(await last(skilled.query('Hello'))).toMatchObject({ subtype: 'success' })
    expect(JSON.stringify(model.requests.map(({ system }) => system))).toContain('You help.')
    expect(resultOf('call_3_1')).toContain('Skill tools are for the main agent.')
    expect(resultOf('call_4_1')).toContain('TOOL_NOT_ALLOWED')
  })
})

it("[ADPT-8] keeps the host's own options, and switches Claude Code's own skills off", async () => {
  const session = (await open()).openSession()
  const host = { command: 'host' }
  const preset = { type: 'preset', preset: 'claude_code', append: 'Mine.' } as const
  const options = queryOptions(session, {
    options: { systemPrompt: preset, mcpServers: { host }, disallowedTools: ['Write'] },
  })
  expect(options.systemPrompt).toMatchObject({ ...preset, append: expect.stringMatching(/^Mine\.\n\n[^]*careful/) })
  expect(Object.keys(options.mcpServers!)).toEqual(['host', 'skills'])
  expect(options).toMatchObject({ skills: [], disallowedTools: ['Write', 'Skill'] })
  expect(queryOptions(session, { options: { skills: 'all' } })).toMatchObject({ skills: 'all' })
  expect(() => queryOptions(session, { option: {} } as never)).toThrow('Did you mean `options`?')
})
