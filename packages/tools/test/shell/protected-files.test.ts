import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandResult, openBashTool } from '@repertoire/tools'
import { virtualRunner } from '@repertoire/runners'
import { isMissing } from '@repertoire/test-servers'
import { beforeEach, describe, expect, it } from 'vitest'
import { resultOf } from '../run.ts'
import { put, useWorkspace, withBash, workspace } from './workspace-folder.ts'

useWorkspace()

const POLICY = '{"deny":["*"]}'
const PROTECT = ['.agent/policy.json', '.agent/consent/', '.bashrc', '.husky/_/', 'deep/er/rules.json']

/** Ways to a protected file that text does not show, each as its own command. `P` is the file. */
const WAYS = [
  'cd .agent && echo evil >policy.json',
  '(cd .agent; echo evil >>policy.json)',
  'pushd .agent >/dev/null; tee policy.json <<<evil',
  'env -C .agent sh -c "echo evil >policy.json"',
  'for f in .a*/p?l*; do echo evil >"$f"; done',
  'cp /dev/null /proc/self/cwd/.agent/policy.json',
  'echo evil >/proc/self/root/workspace/.agent/policy.json',
  'X=pol; Y=icy.json; echo evil >.agent/$X$Y',
  `echo ZWNobyBldmlsID4uYWdlbnQvcG9saWN5Lmpzb24K | base64 -d | bash`,
  'ln -s .agent/policy.json innocent; echo evil >innocent',
  'ln -s .agent innocent; echo evil >innocent/policy.json; rm -rf innocent/',
  'ln .agent/policy.json second; echo evil >second',
  'ln -sfn /tmp .agent/policy.json',
  'mv .agent other; mkdir .agent; echo evil >.agent/policy.json',
  'rm -rf .agent; mkdir -p .agent; echo evil >.agent/policy.json',
  'echo evil >new; mv -f new .agent/policy.json',
  'cp -r .agent copy; echo evil >copy/policy.json; rm -rf .agent; mv -T copy .agent',
  'find . -name policy.json -exec sed -i s/deny/allow/ {} +',
  'find . -name policy.json -delete',
  'tar cf x.tar .agent; tar xf x.tar --overwrite',
  'truncate -s 0 .agent/policy.json; dd if=/dev/zero of=.agent/policy.json count=1',
  'chmod 666 .agent/policy.json; chown nobody .agent/policy.json; touch .agent/policy.json',
  'umount .agent/policy.json; mount -o remount,rw .agent/policy.json; mount --bind /tmp .agent',
  'unshare -rm sh -c "umount -l .agent/policy.json; echo evil >.agent/policy.json"',
  'exec 7>.agent/policy.json; echo evil >&7',
  'git init -q . && echo evil >.git/hooks/pre-commit',
]

/** The same from a program, where no rule over text sees anything. */
const PYTHON = `
import os, shutil
name = ''.join(['pol', 'icy', '.json'])
def tries(*doings):
    for do in doings:
        try: do()
        except OSError: pass
path = os.path.join('.agent', name)
folder = os.open('.', os.O_RDONLY)
tries(
    lambda: open(path, 'w').write('evil'),
    lambda: open('.bashrc', 'w').write('evil'),
    lambda: os.rename('.agent', 'elsewhere'),
    lambda: os.replace('SAFE', path),
    lambda: shutil.rmtree('.agent'),
    lambda: os.unlink(path),
    lambda: os.link(path, 'second'),
    lambda: os.truncate(path, 0),
    lambda: os.chmod(path, 0o777),
    lambda: os.write(os.open(path, os.O_WRONLY, dir_fd=folder), b'evil'),
    lambda: os.makedirs('.husky/_'),
    lambda: open('.husky/_/pre-commit', 'w').write('evil'),
    lambda: os.makedirs('deep/er'),
    lambda: open('deep/er/rules.json', 'w').write('evil'),
    lambda: os.rename('deep', 'deeper'),
)
print('done')
`

describe.skipIf(isMissing('bubblewrap'))(
  'protected files under the tool Bash, in bubblewrap (needs bubblewrap)',
  () => {
    beforeEach(() => {
      put('.agent/policy.json', POLICY)
      put('.agent/consent/one.json', 'one')
      put('notes.txt', 'notes')
    })

    function expectUnchanged(): void {
      expect(readFileSync(join(workspace, '.agent/policy.json'), 'utf8')).toBe(POLICY)
      expect(readFileSync(join(workspace, '.agent/consent/one.json'), 'utf8')).toBe('one')
      expect(readdirSync(join(workspace, '.agent')).toSorted()).toEqual(['consent', 'policy.json'])
      for (const path of ['.bashrc', '.husky', 'deep', '.git']) expect(existsSync(join(workspace, path))).toBe(false)
    }

    it('[ABUSE-97, ABUSE-114] stay as they are, by whatever way a command reaches them', async () => {
      await withBash({ workspace: { protect: PROTECT } }, async (tool) => {
        const command = WAYS.map((way) => `( ${way}\n) >/dev/null 2>&1`).join('\n')
        await resultOf(tool, { command })
        expectUnchanged()
        // One by one too: what one of them leaves behind is there for the next.
        for (const way of WAYS.slice(9, 17)) {
          await resultOf(tool, { command: way })
          expectUnchanged()
        }
        await resultOf(tool, { command: 'echo fine >notes.txt' })
        expect(readFileSync(join(workspace, 'notes.txt'), 'utf8')).toBe('fine\n')
      })
    })

    it('[ABUSE-54] are not seen where the host hides them, by whatever way a command reaches them', async () => {
      put('.agent/key', 'secret')
      for (const access of ['read', 'write'] as const) {
        const hide = ['.agent/key', join(workspace, '.agent/consent'), 'later.env']
        await withBash({ workspace: { access, protect: PROTECT, hide } }, async (tool) => {
          const command = `cat .agent/key .agent/consent/one.json; cd .agent; ls consent; cat k?y; cp -r . "$TMPDIR/x"; cat "$TMPDIR"/x/key
python3 -c "print(open('key').read())"; mv key other; cat other; chmod 777 key; cat key; cat ../later.env; echo end`
          expect((await resultOf<CommandResult>(tool, { command })).stdout).toBe('end\n')
        })
        expect(readFileSync(join(workspace, '.agent/key'), 'utf8')).toBe('secret')
        expect(existsSync(join(workspace, 'later.env'))).toBe(false)
      }
      await expect(withBash({ workspace: { hide: ['.'] } }, async () => undefined)).rejects.toThrow(
        'in `workspace.hide` is the workspace',
      )
    })

    it('[ABUSE-97] would be changed by each of these ways without the protection', async () => {
      await withBash({}, async (tool) => {
        for (const way of WAYS.slice(0, 9)) {
          put('.agent/policy.json', POLICY)
          await resultOf(tool, { command: way })
          expect([way, readFileSync(join(workspace, '.agent/policy.json'), 'utf8')]).not.toEqual([way, POLICY])
        }
      })
    })

    it('[ABUSE-54, ABUSE-97] stay as they are, and do not appear, by what a program does', async () => {
      put('SAFE', 'evil')
      await withBash({ workspace: { protect: PROTECT } }, async (tool) => {
        const { stdout, stderr } = await resultOf<CommandResult>(tool, { command: `python3 - <<'END'${PYTHON}END` })
        expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' })
        expectUnchanged()
      })
      expectUnchanged()
    })

    it('[ABUSE-54] do not appear by a process that is left behind', async () => {
      await withBash({ workspace: { protect: PROTECT } }, async (tool) => {
        const command =
          'setsid sh -c "while :; do echo evil >.bashrc; mkdir -p .husky/_ && echo evil >.husky/_/x; done" >/dev/null 2>&1 &'
        for (let times = 0; times < 3; times++) await resultOf(tool, { command })
        expectUnchanged()
      })
      expectUnchanged()
    })

    it('[ABUSE-54] keeps `.git` as it is unless the host says otherwise', async () => {
      put('.git/config', '[core]')
      put('.git/HEAD', 'ref: refs/heads/main\n')
      const command =
        'mkdir -p .git/hooks; echo evil >.git/hooks/pre-commit; echo .. >.git/commondir; mv .git other; true'
      await withBash({}, (tool) => resultOf(tool, { command }))
      expect(readdirSync(join(workspace, '.git')).toSorted()).toEqual(['HEAD', 'config'])
      await withBash({ git: 'write' }, (tool) => resultOf(tool, { command: 'echo x >.git/new' }))
      expect(readdirSync(join(workspace, '.git')).toSorted()).toEqual(['HEAD', 'config', 'new'])
    })

    it('[ABUSE-114] are found by absolute paths and through links to the workspace', async () => {
      const link = `${workspace}-link`
      symlinkSync(workspace, link)
      try {
        const protect = [join(link, '.agent/policy.json'), join(workspace, '.agent/consent'), '/etc/agent', '/outside']
        await withBash({ workspace: { path: link, protect } }, (tool) =>
          resultOf(tool, { command: 'echo evil >.agent/policy.json; rm -rf .agent/consent; echo x >new' }),
        )
        expectUnchanged()
        expect(existsSync(join(workspace, 'new'))).toBe(true)
      } finally {
        unlinkSync(link)
      }
    })

    it('[ABUSE-54] are refused where a link or a second name stands for them, and nothing runs', async () => {
      symlinkSync('.agent', join(workspace, 'linked'))
      linkSync(join(workspace, '.agent/policy.json'), join(workspace, 'second'))
      for (const [path, reason] of [
        ['linked/policy.json', 'is a link'],
        ['second', 'hard link'],
      ] as const) {
        await expect(withBash({ workspace: { protect: [path] } }, async () => undefined)).rejects.toMatchObject({
          code: 'SCRIPT_NOT_STARTED',
          message: expect.stringContaining(reason),
        })
      }
    })
  },
)

it('[ABUSE-54] refuses what it cannot protect: the workspace itself', async () => {
  put('policy.json', POLICY)
  const open = (protect: readonly string[]) =>
    openBashTool({ workspace: { path: workspace, access: 'write', protect }, runner: () => virtualRunner() })
  for (const path of ['.', workspace, join(workspace, '..'), '/'])
    await expect(open([path])).rejects.toThrow('in `workspace.protect` is the workspace, or a folder above it')
  await expect(open([''])).rejects.toThrow('`workspace.protect[0]` is empty')
  await expect(open(['a\0b'])).rejects.toThrow('in `workspace.protect` is not a path')
})
