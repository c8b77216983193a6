import { describe, expect, it } from 'vitest'
import { scriptUse } from '@repertoire/gate/internal/programs'
import { toolset } from '../toolset.ts'

const skill = { name: 'pdf', location: '/skills/pdf', scripts: ['scripts/fill.py', 'scripts/go.sh'] }

function use(command: string, tool = 'Bash', input: object = { command }) {
  return scriptUse({ tool, input }, [skill], { tools: toolset(), cwd: '/work' })
}
const FILL = { skill: 'pdf', path: 'scripts/fill.py' }

describe('what a command does with a script of an active skill', () => {
  it.each([
    'python3 /skills/pdf/scripts/fill.py a.pdf',
    'python3.12 -u /skills/pdf/scripts/fill.py a.pdf',
    '/skills/pdf/scripts/fill.py a.pdf | head -5',
    'MODE=1 /skills/pdf/scripts/fill.py',
    'cd /skills/pdf && ./scripts/fill.py',
    'cd /skills/pdf/scripts && ./fill.py',
    'cd /skills/pdf && python scripts/fill.py < a.pdf > b.pdf',
    'timeout 30 python /skills/pdf/scripts/fill.py',
    'sudo -u bob python /skills/pdf/scripts/fill.py',
    'env A=1 python /skills/pdf/scripts/fill.py',
    'uv run /skills/pdf/scripts/fill.py',
    'bun run /skills/pdf/scripts/fill.py',
    'uv run python /skills/pdf/scripts/fill.py',
    'nohup "/skills/pdf/scripts/fill.py" &',
    'source /skills/pdf/scripts/fill.py',
    'python3 -m pdb /skills/pdf/scripts/fill.py',
    'bash /skills/pdf/scripts/fill.py -n',
    'node /skills/pdf/scripts/fill.py --check',
    'out=$(python /skills/pdf/scripts/fill.py)',
    'bash /skills/pdf/scripts/fill.py',
    'bash -c "/skills/pdf/scripts/fill.py a.pdf"',
    "/bin/sh -lc 'cd x; python /skills/pdf/scripts/fill.py a.pdf'",
    'echo "$(python /skills/pdf/scripts/fill.py a.pdf)"',
    'find . -name "*.pdf" | xargs python /skills/pdf/scripts/fill.py',
  ])('[OBS-5] runs it: %s', (command) => {
    expect(use(command)).toEqual({ run: FILL })
  })

  it.each([
    'cat /skills/pdf/scripts/fill.py',
    'cat -n scripts/fill.py',
    'cd scripts && cat fill.py',
    'cd /skills/pdf; cd scripts; head fill.py',
    'base64 /skills/pdf/scripts/fill.py',
    'base32 -w0 /skills/pdf/scripts/fill.py',
    'xxd /skills/pdf/scripts/fill.py | head',
    'head -50 /skills/pdf/scripts/fill.py',
    'grep -n "def " /skills/pdf/scripts/fill.py',
    'wc -l < /skills/pdf/scripts/fill.py',
    "sed -n '1,20p' /skills/pdf/scripts/fill.py",
    'git diff HEAD -- /skills/pdf/scripts/fill.py',
    'git -C /work show HEAD:x /skills/pdf/scripts/fill.py',
    'sudo cat /skills/pdf/scripts/fill.py',
    'ls; (less /skills/pdf/scripts/fill.py)',
    '/usr/bin/tail /skills/pdf/scripts/fill.py',
    'echo "$(cat /skills/pdf/scripts/fill.py)"',
    'echo $(</skills/pdf/scripts/fill.py)',
    'bash -c "cat /skills/pdf/scripts/fill.py"',
    'while read line; do echo "$line"; done < /skills/pdf/scripts/fill.py',
    'mapfile -t lines < /skills/pdf/scripts/fill.py',
    'Get-Content /skills/pdf/scripts/fill.py',
  ])('[OBS-5] shows it: %s', (command) => {
    expect(use(command)).toEqual({ read: FILL })
  })

  it.each([
    'chmod +x /skills/pdf/scripts/fill.py',
    'ls -l /skills/pdf/scripts/fill.py',
    'test -f /skills/pdf/scripts/fill.py',
    'unheard-of /skills/pdf/scripts/fill.py',
    'npx prettier /skills/pdf/scripts/fill.py',
    'git add /skills/pdf/scripts/fill.py',
    'bash -n /skills/pdf/scripts/fill.py',
    'sh -en /skills/pdf/scripts/fill.py',
    'bash -o noexec /skills/pdf/scripts/fill.py',
    'python3 -m py_compile /skills/pdf/scripts/fill.py',
    'python3 -m compileall -q /skills/pdf/scripts/fill.py',
    'node --check /skills/pdf/scripts/fill.py',
    'ruby -c /skills/pdf/scripts/fill.py',
    'perl -c /skills/pdf/scripts/fill.py',
    'php -l /skills/pdf/scripts/fill.py',
    'echo "see" > /skills/pdf/scripts/fill.py',
    'python tests/fill.py',
    'cat a.md',
    'git commit -m "run python /skills/pdf/scripts/fill.py"',
    'echo "cat /skills/pdf/scripts/fill.py"',
    '',
  ])('[OBS-5] does neither: %s', (command) => {
    expect(use(command)).toEqual({})
  })

  it('[OBS-5] may do both, each with another command of the line', () => {
    expect(use('cat /skills/pdf/scripts/go.sh && python /skills/pdf/scripts/fill.py')).toEqual({
      run: FILL,
      read: { skill: 'pdf', path: 'scripts/go.sh' },
    })
  })

  it('[OBS-5] is nothing where the tool runs no commands, or is given none', () => {
    expect(use('', 'Read', { file_path: '/skills/pdf/scripts/fill.py' })).toEqual({})
    expect(use('', 'Bash', { command: ['cat', '/skills/pdf/scripts/fill.py'] })).toEqual({})
    expect(use('', 'Bash', {})).toEqual({})
  })
})
