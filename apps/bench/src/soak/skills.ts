import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How long a script may run here, in milliseconds: long enough for the honest ones on a busy machine. */
export const TIMEOUT_MS = 2_000
/** How much is kept of what a script writes, in bytes. `flood.sh` writes more. */
export const MAX_OUTPUT_BYTES = 50_000

const manifest = (name: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: The skill ${name}, for a soak.\n${fields}---\n${`What ${name} is for. `.repeat(100)}\n`

const FILES: Readonly<Record<string, string>> = {
  'worker/SKILL.md': manifest('worker'),
  'worker/scripts/hello.sh': 'echo "hello $1"; cat SKILL.md | wc -c; echo scratch > "$TMPDIR/file"\n',
  'worker/scripts/sleep.sh': 'echo begun; sleep 30\n',
  'worker/scripts/flood.sh': 'seq 1 40000\n',
  'worker/scripts/children.sh': 'sleep 20 & sleep 20 & echo started\n',
  'worker/scripts/fail.sh': 'echo broken >&2; exit 3\n',
  'worker/scripts/thread.js': 'console.log("from JavaScript")\n',
  'worker/scripts/snake.py': 'print("from Python")\n',
  'hooked/SKILL.md': manifest('hooked', 'hooks:\n  pre: [scripts/pre.sh]\n  post: [scripts/post.sh]\n'),
  'hooked/scripts/pre.sh': 'echo before\n',
  'hooked/scripts/post.sh': 'echo after\n',
  'tooled/SKILL.md': manifest('tooled', 'toolsets: ["tools/index:tools"]\n'),
  'tooled/tools/index.mjs': `export const tools = [{
  name: 'Lookup', description: 'Looks something up.', inputSchema: { type: 'object', properties: {} },
  execute: async () => 'x'.repeat(1000),
}]\n`,
  'plain/SKILL.md': manifest('plain', 'allowed-tools: Read Bash(git:*)\n'),
  'plain/references/guide.md': 'A guide. '.repeat(2_000),
}

/** Writes the skills of a soak below a folder. */
export function writeSoakSkills(root: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
