import { describe, expect, test } from 'vitest'
import { covers } from '../prefix-rules.ts'

describe('options of programs that look harmless', () => {
  test.each([
    ['fd', '--exec --exec-batch'],
    ['ncdu', '-O'],
    ['sdiff', '--output'],
    ['cloc', '--categorized --found --ignored'],
    ['yq', '--in-place'],
    ['xmllint', '-shell'],
    ['pandoc', '--defaults --pdf-engine --pdf-engine-opt --data-dir --log'],
    ['dpkg', '--post-invoke --admindir --root --instdir --log'],
    ['rpm', '--rcfile --macros --load --root --dbpath -D'],
    ['apt', '--config-file'],
    ['dnf', '--config --installroot'],
    ['pacman', '--root --sysroot --dbpath --logfile -r'],
    ['brew', 'create edit exec irb x'],
    ['hg', '--config-file --repository --debugger --program --output'],
    ['jj', '--config-toml --repository run'],
    ['kubectl', '--enable-alpha-plugins'],
    ['helm', '--post-renderer-args --registry-config'],
    ['gcloud', '--scp-flag scp start-iap-tunnel'],
    ['railway', 'code connect dev develop local sandbox'],
    ['op', 'plugin'],
    ['infisical', 'run'],
    ['direnv', 'edit grant permit'],
    ['mise', 'exec x'],
    ['curl', '--ssl-sessions'],
    ['rsync', '--daemon --config --dparam'],
    ['nc', '--exec --sh-exec --lua-exec --output -c -o'],
    ['nmap', '--datadir --servicedb --versiondb --append-output'],
    ['tshark', '--export-tls-session-keys'],
    ['ss', '--diag -K'],
    ['journalctl', '--vacuum-time --vacuum-files --rotate'],
    ['gpg2', '--dirmngr-program --exec-path --options --load-extension --output --log-file --status-file'],
    ['gpg', '--attribute-file'],
    ['ssh-keygen', '-w'],
    ['ssh-add', '-S'],
    ['psql', '--log-file'],
    ['mysql', '--pager --tee --init-command --defaults-file --defaults-extra-file'],
    ['redis-cli', '--functions-rdb'],
    ['gmake', '--file --directory --include-dir -E'],
    ['npm', '--shell --editor --viewer --globalconfig --init-module'],
    ['prettier', '--plugin-search-dir'],
    ['eslint', '--resolve-plugins-relative-to --output-file --cache-location --cache-file'],
    ['pylint', '--rcfile --output'],
    ['mypy', '--config-file --junit-xml'],
    ['agent-browser', '--extension --config'],
  ])('[ABUSE-41] a rule for %s covers none of %s', (program, words) => {
    const commands = words.split(' ').flatMap((word) => {
      const apart = `${program} ${word} x`
      return word.startsWith('--') ? [apart, `${program} y ${word}=x`] : [apart]
    })
    expect(commands.filter((command) => covers(command))).toEqual([])
  })

  test.each([
    ['file', 'm', 'C'],
    ['sort', 't', 'o'],
    ['iconv', 'ft', 'o'],
    ['pandoc', 'fot', 'dFL'],
    ['tar -t', 'Cf', 'gIMT'],
    ['curl', 'AbdeFHouwX', 'cDK'],
    ['wget', 'AOPTU', 'eo'],
    ['psql', 'cdhpUv', 'Lfo'],
  ])('[GATE-3, ABUSE-41] of %s behind the letters %s the rest of a word is a value', (program, valued, dangerous) => {
    expect(Array.from(valued).filter((letter) => !covers(`${program} -${letter}${dangerous}`))).toEqual([])
    expect(Array.from(dangerous).filter((letter) => covers(`${program} -${letter}${valued}`))).toEqual([])
  })

  test.each([
    ['uniq', 'fsw'],
    ['xxd', 'cglnos'],
  ])(
    '[GATE-3, ABUSE-41] of %s behind each of -%s a word is a value, and the second other one is written',
    (program, valued) => {
      expect(Array.from(valued).filter((letter) => !covers(`${program} -${letter} 1 a`))).toEqual([])
      expect(Array.from(valued).filter((letter) => covers(`${program} -${letter} 1 a b`))).toEqual([])
    },
  )

  test.each([
    ['jj config', 'get list l path'],
    ['kubectl config', 'view current-context get-clusters get-contexts get-users use-context'],
    ['helm plugin', 'list ls'],
    ['aws configure', 'list get list-profiles'],
    ['az extension', 'list show'],
    ['npm config', 'get list ls'],
    ['npm c', 'get list ls'],
    ['gh alias', 'list ls'],
    ['gh config', 'get list ls clear-cache'],
    ['gh extensions', 'list ls search'],
    ['gh cs', 'create delete edit list ls ports rebuild stop view'],
  ])('[GATE-3, ABUSE-41] a rule for the program covers of %s %s, its help, and nothing else', (command, uses) => {
    expect(uses.split(' ').filter((use) => !covers(`${command} ${use} x`))).toEqual([])
    expect(covers(`${command} --help`)).toBe(true)
    expect(covers(`${command} -h`)).toBe(true)
    expect(covers(`${command} --help x`)).toBe(false)
    expect(covers(`${command} other x`)).toBe(false)
  })
})
