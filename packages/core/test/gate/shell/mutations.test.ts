import { describe, expect, test } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { openRepertoire } from '../../../src/index.ts'

describe('a folder above a protected file', () => {
  test.each([
    'gosu u rm -rf policy',
    'watch -n 5 rm -rf policy',
    'sudo systemd-run --working-directory=/ rm -rf project',
    'aws-vault exec profile -- rm -rf policy',
    "flock x -c 'rm -rf policy'",
    "hyperfine 'rm -rf policy'",
    'git bisect run rm -rf policy',
    'fd x -x rm -rf policy',
    'env -S "rm -rf" policy',
    'gtar xf a.tar -C policy',
  ])('[ABUSE-97] is not removed by a program that runs another one: %s', async (command) => {
    const repertoire = await openRepertoire({ sources: [] })
    const policy = { protect: ['/project/policy/rules.json'] }
    const session = openAdapterSession(repertoire, { cwd: '/project', policy })
    const outcome = (await session.inspect({ id: 'c', tool: 'Bash', input: { command } })).refusal
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'TOOL_NOT_ALLOWED' } })
    const other = (
      await session.inspect({
        id: 'd',
        tool: 'Bash',
        input: { command: command.replaceAll(/policy|project/g, 'dist') },
      })
    ).refusal
    expect(other).toBeUndefined()
  })
})
