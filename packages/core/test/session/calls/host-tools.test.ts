import { describe, expect, it } from 'vitest'
import { HOST, open, step, activate } from '../session-world.ts'
import { code } from '../outcome.ts'

describe('the gate', () => {
  it('[GATE-1, GATE-7] refuses what the active skill does not allow, with code, reason and allowed tools, and runs nothing', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    const outcome = await step(session, 'Bash', { command: 'ls' })
    expect(outcome.ran).toBeUndefined()
    expect(JSON.parse(outcome.text ?? '')).toEqual({
      error: {
        code: 'TOOL_NOT_ALLOWED',
        reason: expect.stringContaining('"editor"') as string,
        allowedTools: ['Read', 'Write(docs/**)'],
      },
    })
  })

  it('[GATE-2] compares names in any case and gives the tool its real name', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    expect((await step(session, 'READ', { file_path: 'a' })).ran?.tool).toBe('Read')
    expect(code(await step(session, 'BASH', { command: 'ls' }))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[GATE-2] lets an absent list allow all and an empty list nothing but the skill tools', async () => {
    const { session } = await open()
    await activate(session, 'free')
    expect(code(await step(session, 'Bash', { command: 'a; b' }))).toBe('ok')
    await activate(session, 'mute')
    for (const tool of HOST) expect(code(await step(session, tool, {}))).toBe('TOOL_NOT_ALLOWED')
    expect(code(await step(session, 'deactivate_skill', {}))).toBe('ok')
  })

  it('[GATE-5] judges all calls of one message by the skills that were active when it was written', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    const message = await session.step({ tools: HOST })
    const [left, bash] = await Promise.all([
      message.call({ id: 'a', tool: 'deactivate_skill', input: {} }, () => ''),
      message.call({ id: 'b', tool: 'Bash', input: { command: 'ls' } }, () => 'ran'),
    ])
    expect(code(left)).toBe('ok')
    expect(code(bash)).toBe('TOOL_NOT_ALLOWED')
    // Late, but still a call of that message.
    expect(code(await message.call({ id: 'c', tool: 'Bash', input: { command: 'ls' } }, () => 'ran'))).toBe(
      'TOOL_NOT_ALLOWED',
    )
    expect(code(await step(session, 'Bash', { command: 'ls' }))).toBe('ok')
  })

  it('[GATE-5] holds after an exception, which reaches the caller as it is', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    const error = new RangeError('fire')
    const thrown = session.call({ id: 'x', tool: 'Read', input: { file_path: 'a' } }, () => {
      throw error
    })
    await expect(thrown).rejects.toBe(error)
    expect(code(await step(session, 'Bash', { command: 'ls' }))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[GATE-1] runs the tool with the input that was judged, though the caller changes its own meanwhile', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    const input = { file_path: 'docs/a.md' }
    let ran: unknown
    const calling = session.call({ id: 'x', tool: 'Write', input }, (call) => (ran = call.input))
    input.file_path = 'src/evil.ts'
    await calling
    expect(ran).toEqual({ file_path: 'docs/a.md' })
  })

  it('[GATE-6] allows what every active skill allows', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    await activate(session, 'historian')
    expect(code(await step(session, 'Read', { file_path: 'a' }))).toBe('ok')
    expect(code(await step(session, 'Write', { file_path: 'docs/a' }))).toBe('TOOL_NOT_ALLOWED')
    expect(code(await step(session, 'Bash', { command: 'git log' }))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[GATE-4] refuses to read scripts of an active skill, by any spelling of the path', async () => {
    const { session } = await open({ cwd: '/project' })
    await activate(session, 'free')
    for (const path of [
      'memory:memory/free/scripts/go.sh',
      'scripts/go.sh',
      './scripts/../scripts/go.sh',
      'memory:memory/free/x/../scripts/go.sh',
    ]) {
      const outcome = await step(session, 'Read', { file_path: path })
      expect([path, code(outcome)]).toEqual([path, 'SCRIPT_READ_BLOCKED'])
      expect(outcome.text).toContain('scripts are run, not read. Nothing here runs it')
    }
    expect(code(await step(session, 'Read', { file_path: 'memory:memory/free/image.bin' }))).toBe('ok')
    expect(code(await step(session, 'Read', { file_path: 'memory:memory/free-other/scripts/go.sh' }))).toBe('ok')
  })

  it('[GATE-4] says that nothing runs scripts where the host has no shell', async () => {
    const { session } = await open({ hostTools: ['Read'] })
    await (await session.step({ tools: ['Read'] })).call({ id: '1', tool: 'activate_skill', input: { name: 'free' } })
    const outcome = await session.call(
      { id: '2', tool: 'read_skill_resource', input: { path: 'scripts/go.sh' } },
      () => '',
    )
    expect(outcome).toMatchObject({
      ok: false,
      refusal: {
        code: 'SCRIPT_READ_BLOCKED',
        reason: expect.stringContaining('Nothing here runs it: go on without it.') as string,
      },
    })
  })

  it('[ABUSE-44] refuses a tool that the host does not have', async () => {
    const { session } = await open()
    expect(code(await step(session, 'rm', {}))).toBe('TOOL_UNKNOWN')
    expect(code(await step(session, 'constructor', {}))).toBe('TOOL_UNKNOWN')
  })

  it('[GATE-1] refuses a host tool with the name of a skill tool as a mistake of the program', async () => {
    const { session } = await open()
    await expect(session.step({ tools: ['Activate_Skill'] })).rejects.toThrow(
      'The host has a tool named "Activate_Skill"',
    )
  })
})
