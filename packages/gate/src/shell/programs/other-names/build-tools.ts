import type { OtherNames } from './other-names.ts'

/** Builders, frameworks and tools of languages. */
export const BUILD_TOOLS: Readonly<Record<string, OtherNames>> = {
  cargo: {
    userDefined: true,
    same: [
      'build|b',
      'check|c',
      'doc|d',
      'run|r',
      'test|t',
      'remove|rm',
      ...(
        'report add bench clean clippy config fetch fix fmt generate-lockfile help info init install locate-project login logout ' +
        'metadata miri new owner package pkgid publish rustc rustdoc search tree uninstall update vendor verify-project ' +
        'version yank'
      ).split(' '),
    ],
  },
  rustup: {
    same: [
      'toolchain install|install|toolchain add|toolchain update',
      'toolchain uninstall|uninstall|toolchain remove',
      'update|upgrade',
      'target add|target install',
      'target remove|target uninstall',
      'component remove|component uninstall',
      'override set|override add',
      'override unset|override remove',
    ],
  },
  dotnet: {
    same: [
      'add package|package add',
      'remove package|package remove',
      'list package|package list',
      'add reference|reference add',
      'remove reference|reference remove',
      'sln|solution',
      'new|new3',
    ],
  },
  // `:app:publish`, and `deploy:deploy` or its long form with the plugin's group.
  'gradle gradlew': { abbreviates: 'letters', separator: /:/, same: [] },
  'mvn mvnw mvnd': { separator: /:/, same: [] },
  'php artisan console symfony magento wp drush': {
    abbreviates: 'beginnings',
    same: ['cache:clear|cache:rebuild|cr|cc', 'delete|remove|rm'],
  },
  rails: {
    abbreviates: 'beginnings',
    same: ['generate|g', 'destroy|d', 'console|c', 'server|s', 'dbconsole|db', 'test|t', 'runner|r'],
  },
}
