import { describe, expect, it } from 'vitest'
import { adapterSession } from '../../../src/adapter.ts'
import { ABOVE, judged, open, PROTECTED, shell } from './protected-session.ts'
import { openRepertoire } from '../../../src/index.ts'

describe('a folder above a protected file', () => {
  it.each([
    'rm -rf .repertoire',
    'rm -r ./.repertoire/',
    'rm -rf -- policy',
    'mv policy x',
    'rm -rf /project',
    'rm -rf .',
    'rm -rf /',
    'RM -rf POLICY',
    '/bin/rm -rf policy',
    'rm -rf "po"lic\\y',
    'rm -rf build/../policy',
    'rm \\\n  -rf \\\n  policy',
    // By what a shell expands.
    'rm -rf *',
    'rm -rf ./*',
    'rm -rf {policy,dist}',
    'rm -rf .{repertoire,x}',
    'rm -rf .rep*',
    'rm -rf .[!.]*',
    'rm -rf pol?c[xy]',
    'rm -rf **/policy',
    'rm -rf "$PWD"',
    'rm -rf $(pwd)/policy',
    'rm -rf `pwd`/policy',
    'rm -rf ~',
    'rm -rf $HOME/.config',
    // In another folder.
    'cd .. && rm -rf project',
    'cd / ; rm -rf project',
    'cd sub; rm -rf ../policy',
    'cd nowhere; rm -rf policy',
    'cd nowhere || rm -rf policy',
    'cd .repertoire && rm -rf *',
    'cd ..; cd project; rm -rf policy',
    'cd $X && rm -rf policy',
    'cd - && rm -rf .',
    'cd "$(pwd)/.." && rm -rf project',
    'pushd .. && mv project other',
    'cd a && cd b && cd .. && cd .. && rm -rf policy',
    '(cd .. ; rm -rf project)',
    'rm -rf policy && cd ..',
    '(cd sub) && rm -rf policy',
    'cd sub | cat && rm -rf policy',
    'echo $(cd sub) && rm -rf policy',
    'time cd .. && rm -rf project',
    // Inside of something else.
    'ls && mv -f policy old',
    'if true; then rm -rf policy; fi',
    'for f in a b; do rm -rf policy; done',
    'f() { rm -rf policy; }; f',
    'echo $(rm -rf policy)',
    'echo "now: $(rm -rf policy)"',
    'cat <(rm -rf policy)',
    'cat <<EOF\n$(rm -rf policy)\nEOF',
    'X=1 rm -rf policy',
    'rm -rf policy &',
    '! rm -rf policy',
    // Run by something else.
    'sudo -u root rm -rf policy',
    'timeout 5 rm -rf policy',
    'ls | xargs -n 1 rm -rf policy',
    'npx rimraf policy',
    'bash -c "rm -rf policy"',
    "sh -lc 'cd .. && mv project other'",
    'sudo bash -c "rm -rf policy"',
    `bash -c 'bash -c "rm -rf policy"'`,
    'eval rm -rf policy',
    'bash <<EOF\nrm -rf policy\nEOF',
    // By something put in its place.
    'mv evil/.repertoire .',
    'mv evil/.repertoire/ ./',
    'mv evil policy',
    'mv -t . evil/policy',
    'mv --target-directory=. evil/policy',
    'mv -t x policy',
    'cp -r evil/policy .',
    'cp -a evil .repertoire',
    // By find and git.
    'find . -delete',
    'find -delete',
    'find -L . -type f -delete',
    'find . -type f -exec rm {} +',
    'find policy -name "*.json" -delete',
    'find . -name .repertoire -exec rm -rf {} \\;',
    'find . -not -name "*.md" -delete',
    'find . -name a -o -name rules.json -delete',
    // A test behind the action is none of it.
    "find . -delete -name '*.log'",
    'find policy -delete -name x',
    "find . -exec rm -rf {} + -name '*.log'",
    "find . -exec grep -name x {} ';' -delete",
    "find . -name '*.log' -o -delete",
    "find . -name '*.log' , -delete",
    "find . \\( -name '*.log' -o -type f \\) -delete",
    "find . \\( -name '*.log' -o -name 'rules.*' \\) -delete",
    "find . ! \\( -name '*.log' -delete \\) -o -delete",
    "find . -not \\( -name '*.log' \\) -delete",
    "find . -name '*.json' -newer -name -delete",
    'find policy -name policy -exec rm -rf {} +',
    'find pol* -name policy -exec rm -rf {} +',
    'find . -name . -exec mv {} x \\;',
    'find . -type f -name "*.json" -delete',
    'find . -type d -name "p*" -exec rm -rf {} +',
    'find . -type f -empty -delete',
    'find . -name x -exec rm -rf policy \\;',
    'find . -name x -exec find . -delete \\;',
    `find . ${'-exec find '.repeat(2_000)}rm`,
    `find . ${'\\\\( '.repeat(60)}-delete`,
    `find . -exec sh -c 'rm -rf "$1"' _ {} \\;`,
    'git clean -fdx',
    'git clean -fd -e dist',
    'git clean -fd policy',
    'git clean -fd :/',
    'git rm -r policy',
    'git mv policy x',
    'git worktree remove --force policy',
    'git worktree move policy x',
    'git submodule deinit -f policy',
    'git stash -u',
    'git stash push --include-untracked',
    'svn mv policy x',
    'hg rename policy x',
    'exch policy x',
    'rclone purge policy',
    'rclone sync x: policy',
    // By what was only to be packed or copied.
    'zip -rm x.zip policy',
    'tar --remove-files -cf x.tar policy',
    '7z a -sdel x.7z policy',
    'rsync -a --remove-source-files policy/ x',
    'rsync -a --delete evil/ .',
    'robocopy evil . /mir',
    // A part of the name is in a variable.
    'rm -rf pol$X',
    'rm -rf "pol${X}y"',
    'mv .reper$(echo toire) x',
    'git -C .. -c a=b clean -f project',
    'find . -type f -exec tee {} +',
    'find policy -type f -exec truncate -s 0 {} +',
    'find .repertoire -execdir sed -i s/a/b/ {} +',
    'find . -name "rules.*" -exec python3 x.py {} +',
    `find . -exec sh -c 'echo > "$1"' _ {} \\;`,
    'git checkout HEAD~1 -- policy',
    'git checkout HEAD~1 policy',
    'git checkout -- .',
    'git checkout .',
    'git restore policy',
    'git restore --source=HEAD~1 -- policy',
    'git restore -SW .',
    'git stash push policy',
    'git stash -- policy',
    'git stash -u -- policy',
    'git -C policy checkout x -- .',
    'git --work-tree=policy checkout -f x',
    'git --work-tree policy reset --hard',
    'git apply --directory=policy x.patch',
    'cd policy && git checkout HEAD~1 .',
    // By links, mounts, copies and what is unpacked.
    'ln -sfn evil policy',
    'ln -s evil policy',
    'ln -sf ../evil/.repertoire',
    'ln -st . ../evil/policy',
    'link evil policy',
    'mklink /d policy evil',
    'mount --bind evil policy',
    'cp evil/* policy',
    'cp evil/*.json policy/',
    'cp -t policy evil/r*',
    'install -m 644 evil/* policy',
    'rsync -a evil/ policy',
    'rsync -a --delete evil/ policy/',
    'scp -r x:evil policy',
    'ditto evil policy',
    'robocopy evil policy /mir',
    'tar xf a.tar -C policy',
    'tar -xzf a.tgz --directory=policy',
    'tar -xf a.tar --directory policy',
    'tar -xCpolicy -f a.tar',
    'tar xfC a.tar policy',
    'tar xCf policy a.tar',
    'tar -C .. -C project/policy -xf a.tar',
    'tar --extract -f a.tar policy',
    'bsdtar xf a.tar policy',
    'cd policy && tar xf ../a.tar',
    'unzip a.zip -d policy',
    'unzip -o a.zip -dpolicy',
    'unzip a.zip policy',
    '7z x a.7z -opolicy',
    'patch -p1 -d policy',
    'patch --directory=policy -i x',
    'gio trash policy',
    // Where it runs is not lost.
    'cd sub && git clean -fdx :/',
    "cd sub && git rm -r ':(top)policy'",
    'pushd /tmp && popd && rm -rf policy',
    'cd /tmp && builtin cd /project && rm -rf policy',
    'cd /tmp && command cd - && rm -rf policy',
    'cd sub && eval cd .. && rm -rf policy',
    'cd /tmp && eval "cd /project" && rm -rf policy',
    'f() { cd /project; }; cd /tmp && f && rm -rf policy',
    'g() { cd /project; }; f() { g; }; cd /tmp && f && rm -rf policy',
    'cd /tmp && . ./x.sh && rm -rf policy',
    '! cd /tmp && rm -rf policy',
    'cd sub; for i in 1 2; do rm -rf policy; cd ..; done',
    'cd sub; while true; do rm -rf policy; eval cd ..; done',
    'env -C .. rm -rf project',
    'env --chdir=.. rm -rf project',
    'sudo -D .. rm -rf project',
    'sudo --chdir .. rm -rf project',
    'git --work-tree=/project -C /tmp clean -fd',
    'git -C / -C project clean -fd',
    // Run by yet others.
    ...'flock x,taskset 1,strace -f,runuser -u u --,uv run,poetry run,sudo uv run'
      .split(',')
      .map((by) => `${by} rm -rf policy`),
    ...'pnpm exec,pnpm dlx,yarn,yarn dlx,npm exec --,sudo pnpm exec'.split(',').map((by) => `${by} rimraf policy`),
    'chroot / rm -rf /project/policy',
    'npx rimraf@5 policy',
    'npx --yes rimraf@latest policy',
    "trap 'rm -rf policy' EXIT",
    "bash <<< 'rm -rf policy'",
    'cmd.exe /c "rd /s /q policy"',
    'cmd /c "cd .. & rd /s /q project"',
    'pwsh -c rm -r policy',
    "tmux new 'rm -rf policy'",
    'tmux new rm -rf policy',
    // In a folder that is only known when it runs.
    'rm -rf "$(git rev-parse --show-toplevel)/policy"',
    'rm -rf "$(dirname "$(pwd)")/project/../policy"',
    'rm -rf `pwd -P`/policy',
    'rm -rf "${PWD:?}/policy"',
    'rm -rf "${PWD:?}/"*',
    // As PowerShell names its paths.
    'Copy-Item -Path evil -Destination policy -Recurse',
    'Move-Item -Destination:policy -Path evil',
    'Move-Item -Path policy -Destination x',
    'Remove-Item -Path:policy -Recurse',
    'Remove-Item -LiteralPath .\\policy',
    'Rename-Item -Path policy -NewName x',
    // In other letters.
    "$'\\x72m' -rf policy",
    "rm -rf $'\\x70olicy'",
    'r\\\nm -rf policy',
    'rm -rf pol\\\nicy',
    // Through a link that every process has.
    'rm -rf /proc/self/cwd/x',
    // As other shells have it.
    'Remove-Item -Recurse -Force .\\policy',
    'rmdir /s /q policy',
    'powershell -Command "Move-Item policy x"',
  ])('[ABUSE-97] is not taken away by a command: %s', async (command) => {
    expect(await shell(await open(), command)).toMatch(ABOVE)
  })

  it.each([
    ['move_file', { source: 'policy', destination: 'x' }],
    ['move_file', { source: 'x', destination: '/project/policy' }],
    ['copy_file', { source: 'x', destination: 'policy/' }],
    ['delete_file', { path: '' }],
    ['delete_folder', { path: '.repertoire/' }],
    ['delete_folder', { paths: ['a', 'POLICY'] }],
    ['rename', { from: '/project', to: '/other' }],
    ['mcp__fs__moveFile', { options: { from: '.' } }],
    ['RemoveDirectory', { dir: 'file:///project/policy' }],
    ['rm', { target: '~/.config' }],
    ['delete_entry', { path: '/proc/self/cwd/policy' }],
    ['create_symlink', { target: 'evil', path: 'policy' }],
    ['mcp__fs__createSymlink', { from: 'evil', to: '.repertoire' }],
    ['extract_archive', { archive: 'a.zip', destination: './policy' }],
    ['unzip', { file: 'a.zip', dest: 'policy/' }],
    ['deletefolder', { path: 'policy' }],
    ['movefile', { source: 'policy', destination: 'x' }],
    ['rmtree', { p: 'policy' }],
    ['removedir', { p: 'policy' }],
    ['FSDelete', { p: 'policy' }],
    ['FSMove', { p: 'policy' }],
    ['delete_item', { item: './policy' }],
    ['destroy_dir', { p: 'policy' }],
    ['replace_folder', { folder: 'policy' }],
    ['sync_dir', { from: 'evil', to: 'policy' }],
    ['swap_paths', { a: 'policy', b: 'evil' }],
    // The name of the tool says nothing, and an argument says it.
    ['fs', { op: 'rm', path: 'policy' }],
    ['file_manager', { action: 'moveFile', from: 'policy', to: 'x' }],
    ['filesystem', { operation: 'delete', target: './policy' }],
    // It may be a shell.
    ['run_in_terminal', { command: 'rm -rf policy' }],
    ['mcp__box__execute_command', { command: 'cd /project; rm -rf policy' }],
    ['box.run_command', { command: 'rm -rf policy' }],
    ['Bash', { command: 'rm', args: ['-rf', 'policy'] }],
    ['Bash', { command: 'rm -rf', arguments: 'policy' }],
  ])('[ABUSE-97] is not taken away by a tool whose name says that it does that: %s %j', async (tool, input) => {
    // Of the links that processes have it is said in other words, where the tool is known.
    expect(await judged(await open(), tool, input)).toMatch(ABOVE)
  })

  it.each([
    ['move_file', { source: 'a.txt', destination: 'policy/a.txt' }],
    ['delete_folder', { path: 'dist', recursive: true, note: '' }],
    ['rename', { old: 'project', new: 'b' }],
    ['extract_archive', { archive: 'a.zip', destination: '.' }],
    ['create_symlink', { target: 'evil', path: 'sub' }],
    ['delete_record', { id: '7', table: 'policies' }],
    ['mcp__github__remove_label', { label: 'policy' }],
    ['delete_branch', { branch: 'policy' }],
    ['delete_rows', { table: 'policy' }],
    ['rename_symbol', { file: 'a.ts', from: 'policy', to: 'rules' }],
    ['copy_text', { text: 'policy' }],
    ['redis_del', { key: '*' }],
    ['delete_comment', { body: '.' }],
    ['link_issue', { to: 'policy' }],
    ['mcp__slack__delete_message', { text: '/' }],
    ['Deploy', { target: '/project' }],
    ['Write', { file_path: 'policy', content: '' }],
    ['LS', { path: 'policy' }],
    ['Remover', { path: 'policy' }],
    ['search_code', { query: 'delete', path: '.' }],
    ['ticket', { action: 'delete', label: 'policy' }],
    ['run_in_terminal', { command: 'rm -rf dist' }],
    ['mcp__git__git_log', { repo_path: 'policy' }],
  ])('[ABUSE-97] leaves other tools alone: %s %j', async (tool, input) => {
    expect(await judged(await open(), tool, input)).toBe('ok')
  })

  it('[ABUSE-97] is not taken away by the words of a command, wherever in the input they stand', async () => {
    const session = await open()
    expect(await judged(session, 'Bash', { command: ['rm', '-rf', 'policy'] })).toMatch(ABOVE)
    expect(await judged(session, 'Bash', { script: { text: 'rm -rf policy' } })).toMatch(ABOVE)
    expect(await judged(session, 'Bash', { command: 'ls', description: 'rm -rf policy' })).toBe('ok')
  })

  it('[ABUSE-97] says nothing of a tool whose argument is not a path, as its host says', async () => {
    const repertoire = await openRepertoire({
      sources: [],
      toolMap: { copy_text: { argument: 'text', kind: 'text' } },
    })
    const session = repertoire.openSession({ cwd: '/project', policy: { protect: PROTECTED } })
    expect(await judged(adapterSession(session), 'copy_text', { text: 'policy' })).toBe('ok')
    expect(await judged(adapterSession(session), 'copy_files', { text: 'policy' })).toMatch(ABOVE)
  })

  it('[ABUSE-97] is told of as what it is, with what to do instead', async () => {
    expect(await shell(await open(), 'rm -rf policy')).toBe(
      'TOOL_NOT_ALLOWED: "Bash" may not be used like this here: it may move, remove or replace a folder above "/project/policy/rules.json", which the host\'s policy protects. Name what is meant in that folder instead.',
    )
  })

  it('[ABUSE-97] is known by the end of its path where no working folder is', async () => {
    const session = await open(['conf/policy/rules.json', '/etc/app/rules.json'], {})
    for (const path of ['conf', './conf/policy', '/work/conf', 'x/conf/policy/', '/etc', '.', '/']) {
      expect(await judged(session, 'delete_folder', { path })).toMatch(ABOVE)
      expect(await shell(session, `rm -rf ${path}`)).toMatch(ABOVE)
    }
    for (const path of ['/work/*', '*', './*/policy', 'conf/*', '$(npm root)/x/*']) {
      expect(await shell(session, `rm -rf ${path}`)).toMatch(ABOVE)
    }
    for (const path of [
      './dist/*',
      '.git/hooks/*',
      'dist/**',
      'dist/*/policy',
      '/work/policy',
      'conf/other',
      '/work',
    ]) {
      expect(await shell(session, `rm -rf ${path}`)).toBe('ok')
    }
  })

  it('[ABUSE-97] is kept on a drive of Windows, by whatever separators and names of its stream', async () => {
    const session = await open(['C:\\project\\policy\\rules.json'], { cwd: 'C:\\project' })
    for (const command of ['rm -rf policy', 'rd /s /q C:\\Project\\policy', 'rm -rf policy::$INDEX_ALLOCATION']) {
      expect(await shell(session, command)).toMatch(ABOVE)
    }
    expect(await shell(session, 'rd /s /q D:\\project\\policy')).toBe('ok')
  })

  it('[ABUSE-97] is kept from a command that holds more than is read', async () => {
    const session = await open()
    expect(await shell(session, `rm -rf ${'x '.repeat(6_000)}`)).toMatch(ABOVE)
    expect(await shell(session, `rm -rf ${'x '.repeat(1_000)}`)).toBe('ok')
    // All that one call gives is counted, for all files at once.
    const several = '{a,b,c,d,e,f,g,h,i,j}{0,1,2,3,4,5,6,7,8} '
    expect(await shell(session, `rm -rf ${several.repeat(55)}`)).toBe('ok')
    expect(await shell(session, `rm -rf ${several.repeat(56)}`)).toMatch(ABOVE)
    expect(await shell(session, `rm -rf ${several.repeat(2_000)}`)).toMatch(ABOVE)
    const nested = Array.from({ length: 8 }).reduce<string>((line) => `bash -c ${JSON.stringify(line)}`, 'rm -rf dist')
    expect(await shell(session, nested)).toMatch(ABOVE)
    expect(await shell(session, 'rm -rf "dist')).toMatch(ABOVE)
    expect(await shell(session, `${'('.repeat(3_000)}rm -rf dist${')'.repeat(3_000)}`)).toMatch(ABOVE)
  })
})
