// Installs the command from the tarballs of all packages, measures it, and runs what needs a package that is not there:
//   npm run install-size
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { packPackages } from './packed-packages.ts'
import { installedSizes, sizeText } from './release/sizes.ts'

const folder = mkdtempSync(join(tmpdir(), 'repertoire-install-'))
try {
  const own = packPackages(folder)
  const manifest = { private: true, dependencies: { repertoire: own['repertoire'] }, overrides: own }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  for (const size of installedSizes(folder)) report(size.value <= size.limit, sizeText(size))

  const skill = join(folder, 'skills/greet')
  mkdirSync(join(skill, 'scripts'), { recursive: true })
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: greet\ndescription: Greets.\n---\nRun scripts/hello.sh.\n')
  writeFileSync(join(skill, 'scripts/hello.sh'), 'echo hello\n')
  says(
    ['run', 'greet', 'scripts/hello.sh', '--root', 'skills', '--runner', 'virtual', '--yes'],
    'Run: npm i -D just-bash\n',
  )
  says(['serve', 'skills', '--http'], 'Run: npm i -D @modelcontextprotocol/server\n')
  says(['add', 'mcp+https://127.0.0.1:9/mcp'], 'Run: npm i -D @modelcontextprotocol/client\n')
  says(['explain', 'greet', 'skills'], 'hello.sh', 0)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** A command that lacks a package ends with an error that is the line to add. */
function says(args: readonly string[], line: string, code?: number): void {
  const command = ['node_modules/repertoire/dist/main.js', ...args]
  const { status, stdout, stderr } = spawnSync('node', command, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
  const isRight = (stdout + stderr).includes(line) && (code === undefined ? status !== 0 : status === code)
  report(isRight, `repertoire ${args.join(' ')} says: ${line.trim()}`)
  if (!isRight) process.stdout.write(`exit code ${status}\n${stdout}${stderr}`)
}

function report(isRight: boolean, text: string): void {
  process.stdout.write(`${isRight ? 'ok' : 'FAILED'}: ${text}\n`)
  if (!isRight) process.exitCode = 1
}
