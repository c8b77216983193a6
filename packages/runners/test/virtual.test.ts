import { virtualRunner } from '@repertoire/runners'
import { describe, expect, it } from 'vitest'
import { job, text } from './job.ts'

const runner = virtualRunner()
const file = (path: string, content: string) => ({ path, bytes: Buffer.from(content), executable: false })

describe('the virtual shell', () => {
  it('[RUN-8] names the commands that it lacks', async () => {
    const { exitCode, stderr } = await runner.run(job('git status; curl http://x; git log; nonesuch'))
    expect(exitCode).toBe(127)
    expect(text(stderr)).toContain(
      'The virtual shell has no "git", no "curl", no "nonesuch". A runner with the programs',
    )
  })

  it('[RUN-8] says nothing where nothing is missing', async () => {
    expect(text((await runner.run(job('echo fine >&2'))).stderr)).toBe('fine\n')
  })

  it('[RUN-7] runs Python, with arguments, input, files and an exit code', async () => {
    const script = `import os, sys
print(sys.argv[1:], os.getcwd(), open('data/x.txt').read(), os.environ['A'], sys.stdin.read())
sys.exit(4)
`
    const files = [file('run.py', script), file('data/x.txt', 'x')]
    const changes = { interpreter: 'python3', script: 'run.py', args: ['a b', '$(id)'], files, environment: { A: '1' } }
    const result = await runner.run(job('', { ...changes, stdin: Buffer.from('in') }))
    expect(text(result.stdout)).toBe("['a b', '$(id)'] /skill x 1 in\n")
    expect(result).toMatchObject({ end: 'exited', exitCode: 4 })
  })

  it('[RUN-7] runs JavaScript', async () => {
    const files = [file('run.mjs', 'console.log(process.argv.slice(-1)[0], process.cwd()); process.exit(5)\n')]
    const result = await runner.run(job('', { interpreter: 'node', script: 'run.mjs', args: ['a b'], files }))
    expect(text(result.stdout)).toBe('a b /skill\n')
    expect(result).toMatchObject({ end: 'exited', exitCode: 5 })
  })

  it('[RUN-8] refuses arguments of an interpreter, which it would not follow', async () => {
    const refused = { code: 'SCRIPT_NOT_STARTED', message: expect.stringContaining('no arguments for "sh" itself: -e') }
    await expect(runner.run(job('true', { interpreterArgs: ['-e'] }))).rejects.toMatchObject(refused)
  })

  it('[RUN-8] says which interpreters it has', () => {
    expect(runner.supports('node')).toBe(true)
    expect(runner.supports('ruby')).toBe('The virtual shell has no "ruby": it runs sh, bash, python, python3, node.')
    expect(runner.isolation).toMatchObject({ name: 'virtual shell', isolated: true })
  })

  it('[RUN-9] ends a script that only computes at its limit', async () => {
    const limits = { ...job('').limits, timeoutMs: 300 }
    expect(await runner.run(job('while :; do :; done', { limits }))).toMatchObject({ end: 'timed-out' })
  })
})
