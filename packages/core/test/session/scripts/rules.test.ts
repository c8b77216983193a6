import { describe, expect, it } from 'vitest'
import type { ConsentHandler } from '../../../src/index.ts'
import { code, refusal } from '../outcome.ts'
import { call, openScripts, run, toolNames, use } from './script-world.ts'

describe('rules about scripts', () => {
  it('[RUN-12] lets a skill that lists tools run the scripts that it brings', async () => {
    const { session } = await openScripts()
    await use(session, 'reader')
    expect(await toolNames(session)).toContain('run_skill_script')
    expect(await run(session, 'scripts/own.sh')).toMatchObject({ ok: true })
  })

  it('[RUN-12] holds a skill to the scripts that its rules name, if they name any', async () => {
    const { session } = await openScripts()
    await use(session, 'named')
    expect(code(await run(session, 'scripts/one.sh'))).toBe('ok')
    expect(await run(session, 'scripts/two.sh')).toMatchObject(
      refusal(
        'TOOL_NOT_ALLOWED',
        /may only be used as run_skill_script\(scripts\/one\.sh\) while the skill "named" is active/,
      ),
    )
  })

  it('[RUN-12] compares the path alone: the arguments of a script may be anything', async () => {
    const { session } = await openScripts()
    await use(session, 'named')
    const input = { path: 'scripts/one.sh', skill: 'named', args: ['/etc/passwd', '--out', '../x'] }
    expect(code(await call(session, 'run_skill_script', input))).toBe('ok')
  })

  it('[RUN-12] understands the name that skills use, where the host has given the tool another', async () => {
    const { session } = await openScripts({ skillToolNames: { runScript: 'exec' } })
    await use(session, 'named')
    expect(code(await call(session, 'exec', { path: 'scripts/one.sh' }))).toBe('ok')
    expect(code(await call(session, 'exec', { path: 'scripts/two.sh' }))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[RUN-12] lets no skill run scripts past the rules of another that is active', async () => {
    const { session } = await openScripts()
    await use(session, 'reader')
    await use(session, 'tool')
    expect(await run(session, 'scripts/args.sh')).toMatchObject(refusal('TOOL_NOT_ALLOWED', /"reader" is active/))
    expect(code(await run(session, 'scripts/own.sh'))).toBe('ok')
    await use(session, 'strict')
    expect(code(await run(session, 'scripts/own.sh'))).toBe('TOOL_NOT_ALLOWED')
    expect(await toolNames(session)).not.toContain('run_skill_script')
  })

  it.each([
    [{ deny: ['run_skill_script'] }, 'TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED', false],
    [{ deny: ['run_skill_script(scripts/a*)'] }, 'TOOL_NOT_ALLOWED', 'ok', true],
    [{ deny: ['run_skill_script(scripts/lib/**)'] }, 'ok', 'TOOL_NOT_ALLOWED', true],
    [{ allow: ['Read'] }, 'TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED', false],
    [{ allow: ['Read', 'run_skill_script'] }, 'ok', 'ok', true],
    [{ allow: ['run_skill_script(scripts/args.sh)'] }, 'ok', 'TOOL_NOT_ALLOWED', true],
    [{ protect: ['scripts/args.sh'] }, 'ok', 'ok', true],
  ])('[RUN-12] keeps to the policy %j of the host', async (policy, first, second, offered) => {
    const { session, runner } = await openScripts({ policy })
    await use(session, 'tool')
    expect(code(await run(session, 'scripts/args.sh'))).toBe(first)
    expect(code(await run(session, './scripts/lib/beside.sh'))).toBe(second)
    expect((await toolNames(session)).includes('run_skill_script')).toBe(offered)
    expect(runner.jobs).toHaveLength([first, second].filter((each) => each === 'ok').length)
  })

  it('[RUN-12] counts a rule for the tool as one that means something here', async () => {
    const requests: (readonly string[] | undefined)[] = []
    const consent: ConsentHandler = ({ warnings }) => requests.push(warnings) > 0
    const { session } = await openScripts({}, { consent })
    await use(session, 'named')
    const without = await openScripts({ scripts: { runner: undefined } }, { consent })
    await use(without.session, 'named')
    expect(requests).toStrictEqual([[], ['this agent has no tool for: run_skill_script(scripts/one.sh)']])
  })

  it('[GATE-4] points from a script that is read to the tool that runs it', async () => {
    const { session } = await openScripts()
    await use(session, 'tool')
    const how = /Run it: `run_skill_script` \{"path":"scripts\/args\.sh","args":\[\],"skill":"tool"\}/
    expect(await call(session, 'read_skill_resource', { path: 'scripts/args.sh' })).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', how),
    )
    expect(await call(session, 'Read', { file_path: 'memory:memory/tool/scripts/args.sh' })).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', how),
    )
  })

  it('[GATE-4] points to no tool that is not offered', async () => {
    const { session } = await openScripts({ policy: { deny: ['run_skill_script'] } })
    await use(session, 'tool')
    expect(await call(session, 'read_skill_resource', { path: 'scripts/args.sh' })).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', /Nothing here runs it: go on without it\./),
    )
  })

  it('[RUN-12] says with the first activation how scripts are run', async () => {
    const { session } = await openScripts()
    await session.step({ tools: ['Bash'] })
    const { text } = await call(session, 'activate_skill', { name: 'tool' })
    expect(text).toContain(
      'Run scripts, never read them: `run_skill_script` {"path":"scripts/args.sh","args":["<arguments>"],"skill":"tool"}',
    )
    expect(text).not.toContain('`Bash`')
  })
})
