import { list, type Program } from './program.ts'

/** Programs that run another one with other variables: those of a project, of a version, or secrets. */
export const ENVIRONMENTS: readonly Program[] = [
  {
    names: ['env'],
    exactOnly: 'runs-programs',
    wraps: { valued: ['-u', '--unset', '-a', '--argv0'], folder: ['-C', '--chdir'], split: ['-S', '--split-string'] },
    examples: {
      refused: ['env git status'],
      mutates: [
        ['env A=1 rm -r a', 'a'],
        ['env -u tar rm -r a', 'a'],
        ['env -iC .. rm -r a', '../a'],
        ['env --chd=.. rm -r a', '../a'],
        ["env -S 'rm -r' a", 'a'],
      ],
      harmless: ['env', 'env rmdir=1 ls'],
    },
  },
  {
    names: list(
      'cross-env env-cmd dotenv ssh-agent fakeroot faketime proxychains proxychains4 torsocks sshpass envchain',
    ),
    exactOnly: 'runs-programs',
    wraps: { valued: ['-e', '-f', '-p'] },
    examples: {
      refused: ['cross-env id'],
      mutates: [
        ['cross-env -f tar rm -r a', 'a'],
        ['cross-env x rm -r a', 'a'],
      ],
    },
  },
  {
    names: ['dotenvx'],
    exactOnly: 'runs-programs',
    wraps: { subcommands: ['run'], valued: ['-f', '-e'] },
    examples: { refused: ['dotenvx run id'], mutates: [['dotenvx run -f tar -- rm -r a', 'a']] },
  },
  {
    names: ['aws-vault', 'chamber'],
    exactOnly: 'runs-programs',
    wraps: { subcommands: ['exec'], operands: 1 },
    examples: { refused: ['aws-vault exec p id'], mutates: [['aws-vault exec tar -- rm -r a', 'a']] },
  },
  {
    names: ['op'],
    unsafe: { runningSubcommands: ['run', 'plugin'] },
    wraps: { subcommands: ['run'] },
    examples: {
      permitted: ['op whoami'],
      refused: ['op run -- id', 'op plugin'],
      mutates: [['op run -- rm -r a', 'a']],
    },
  },
  {
    names: ['doppler', 'infisical'],
    unsafe: { runningSubcommands: ['run', 'agent'] },
    wraps: { subcommands: ['run'] },
    examples: {
      permitted: ['doppler me'],
      refused: ['doppler run -- id', 'doppler agent --config x'],
      mutates: [['doppler run -- rm -r a', 'a']],
    },
  },
  {
    names: ['railway'],
    unsafe: { runningSubcommands: ['code', 'connect', 'dev', 'develop', 'local', 'run', 'sandbox', 'shell', 'ssh'] },
    wraps: { subcommands: ['run', 'local'], valued: ['-s', '--service', '-e', '--environment'] },
    examples: {
      permitted: ['railway status'],
      refused: ['railway --service x run id'],
      mutates: [['railway run -s tar rm -r a', 'a']],
    },
  },
  {
    names: ['direnv'],
    unsafe: { runningSubcommands: ['allow', 'edit', 'exec', 'grant', 'permit'] },
    wraps: { subcommands: ['exec'], operands: 1 },
    examples: {
      permitted: ['direnv status'],
      refused: ['direnv exec . id'],
      mutates: [['direnv exec . rm -r a', 'a']],
    },
  },
  // Their tasks, tools and plugins are programs of the project's, or of whoever publishes them.
  {
    names: ['mise', 'asdf'],
    runsCode: true,
    unsafe: { runningSubcommands: ['exec', 'x', 'env', 'en', 'shell', 'watch', 'trust'] },
    wraps: { subcommands: ['exec', 'x'] },
    examples: {
      permitted: ['mise run build'],
      refused: ['mise x -- id', 'mise env node id'],
      mutates: [['mise exec node@20 -- rm -r a', 'a']],
    },
  },
]
