import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAdapterSession } from '@repertoire/core/adapter'
import { isMissing } from '@repertoire/test-servers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resultOf } from '../run.ts'
import { put, useWorkspace, workspace } from '../shell/workspace-folder.ts'
import { openAgentParts } from './bash-tool-example.ts'

useWorkspace()

describe.skipIf(isMissing('bubblewrap'))('the program of the page, in bubblewrap (needs bubblewrap)', () => {
  it('[ADPT-4, RUN-8, ABUSE-97, ABUSE-114] has rules that judge the text, and a sandbox for what text does not show', async () => {
    put('.agent/policy.json', '{}')
    const { repertoire, tools } = await openAgentParts(workspace, [])
    const [bash] = tools
    onTestFinished(() => bash!.close())
    const session = openAdapterSession(repertoire, { cwd: workspace })
    await session.step({ tools: ['Bash'] })
    let ids = 0
    const call = (command: string) =>
      session.call({ id: `${ids++}`, tool: 'Bash', input: { command } }, ({ input }) => resultOf(bash!, input))

    expect(await call('echo fine >notes')).toMatchObject({ ok: true })
    expect(readFileSync(join(workspace, 'notes'), 'utf8')).toBe('fine\n')
    for (const command of ['echo x >.agent/policy.json', 'cat .bashrc', 'cd .agent; rm policy.json'])
      expect([command, (await call(command)).ok]).toEqual([command, false])
    // What a script does by itself is in no text: the rules let it pass.
    const script = "import os\nopen(os.path.join('.agent', 'pol' + 'icy.json'), 'w').write('evil')\n"
    put('innocent.py', script)
    expect(await call('python3 innocent.py')).toMatchObject({ ok: true, value: { exitCode: 1 } })
    expect(readFileSync(join(workspace, '.agent/policy.json'), 'utf8')).toBe('{}')
    put('innocent.sh', 'echo evil >".bash${X-rc}"')
    expect(await call('sh innocent.sh')).toMatchObject({
      ok: true,
      value: { stderr: expect.stringContaining('Read-only') },
    })
    expect(existsSync(join(workspace, '.bashrc'))).toBe(false)
  })
})
