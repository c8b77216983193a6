// Runs several commands in one process, and prints as JSON how each ended: node commands-process.ts '[["--quick"], …]'
import process from 'node:process'
import { PassThrough } from 'node:stream'
import { run } from '../src/program.ts'

const commands = JSON.parse(process.argv[2] ?? '') as readonly (readonly string[])[]
const ended: unknown[] = []
for (const args of commands) {
  const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })]
  const code = await run(args, { stdout, stderr, env: {}, cwd: () => process.cwd() })
  ended.push({ code, stdout: stdout.read() ?? '', stderr: stderr.read() ?? '' })
}
process.stdout.write(JSON.stringify(ended))
