import type { Figure } from './figures.ts'

const KIB = 1024

/** Of scripts, runners and built-in tools. */
export const RUNNING_FIGURES: readonly Figure[] = [
  [
    'time for a script',
    60_000,
    ['packages/core/src/execution/limits.ts', 'timeoutMs'],
    ['repertoire run --help', /may run \(default: (60 s)\)/],
    ['docs/command.md', /`--timeout SECONDS` \(default: (60 s)\)/],
    ['packages/cli/README.md', /for at most (60 s)/],
  ],
  [
    'bytes of a file of a skill',
    10 * KIB * KIB,
    ['packages/core/src/ports/limits.ts', 'MAX_RESOURCE_BYTES'],
    ['packages/core/src/resources/read.ts', /largest file.*Default (10 MiB)/],
    ['packages/core/src/ports/folder.ts', /largest file.*default (10 MiB)/],
  ],
  [
    'time for a source, a folder or a mount',
    30_000,
    ['packages/core/src/ports/limits.ts', 'LOAD_TIMEOUT_MS'],
    ['docs/consent.md', /`loadTimeout` \(default (30 s)\)/],
    ['docs/sources.md', /`loadTimeout` +\| (30 s)/],
    ['docs/sources.md', /its own `timeout` \(default (30 s)\)/],
  ],
  [
    'bytes of a file that a digest covers',
    64 * KIB * KIB,
    ['packages/core/src/ports/limits.ts', 'MAX_DIGEST_FILE_BYTES'],
    ['docs/consent.md', /a file over (64 MiB)/],
    ['packages/core/src/resources/digest.ts', /if a file is over (64 MiB)/],
  ],
  [
    'time for an HTTP request of the built-in tool',
    30_000,
    ['packages/tools/src/http/request-tool.ts', 'DEFAULT_TIMEOUT_MS'],
    ['packages/tools/src/http/request-tool.ts', /everything together, in milliseconds\. Default ([\d,]+)/],
  ],
  [
    'bytes of an answer to the built-in tool',
    1_000_000,
    ['packages/tools/src/http/request-tool.ts', 'DEFAULT_MAX_BYTES'],
    ['packages/tools/src/http/request-tool.ts', /largest answer in bytes, decompressed\. Default ([\d,]+)/],
  ],
  [
    'time for a command of the built-in tool',
    60_000,
    ['packages/tools/src/command/execute-tool.ts', 'DEFAULT_TIMEOUT_MS'],
    ['packages/tools/src/command/execute-tool.ts', /How long a program may run.*Default ([\d,]+)/],
  ],
  [
    'bytes of output of a command of the built-in tool',
    1_000_000,
    ['packages/tools/src/command/execute-tool.ts', 'DEFAULT_MAX_OUTPUT_BYTES'],
    ['packages/tools/src/command/execute-tool.ts', /How much of both output streams.*Default ([\d,]+)/],
  ],
  [
    'bytes of a file of the built-in tool',
    1_000_000,
    ['packages/tools/src/files/operations-tool.ts', 'DEFAULT_MAX_BYTES'],
    ['packages/tools/src/files/operations-tool.ts', /largest file that is read or written.*Default ([\d,]+)/],
  ],
  [
    'time for a statement of the built-in tool',
    30_000,
    ['packages/tools/src/sql/execute-tool.ts', 'DEFAULT_TIMEOUT_MS'],
    ['packages/tools/src/sql/execute-tool.ts', /How long a statement may run.*Default ([\d,]+)/],
  ],
  [
    'time for a command of the shell tool',
    60_000,
    ['packages/tools/src/shell/bash-tool.ts', 'timeoutMs'],
    ['packages/core/src/ports/script-runner.ts', /How long it may run.*Default ([\d,]+)/],
  ],
  [
    'bytes of output of a command of the shell tool',
    1_000_000,
    ['packages/tools/src/shell/bash-tool.ts', 'maxOutputBytes'],
    ['packages/core/src/ports/script-runner.ts', /How much of both output streams.*Default ([\d,]+)/],
  ],
  [
    'processes of a command of the shell tool',
    64,
    ['packages/tools/src/shell/bash-tool.ts', 'maxProcesses'],
    ['packages/core/src/ports/script-runner.ts', /The most processes at once.*Default (\d+)/],
  ],
  [
    'largest file of a command of the shell tool',
    64 * KIB * KIB,
    ['packages/tools/src/shell/bash-tool.ts', 'maxFileBytes'],
    ['packages/core/src/ports/script-runner.ts', /The largest file that it may write.*Default (64 MiB)/],
  ],
  [
    'bytes of one argument of a script',
    131_071,
    ['packages/core/src/ports/limits.ts', 'oneBytes'],
    ['docs/runners.md', /one argument over ([\d,]+) bytes/],
  ],
  [
    'bytes of all arguments of a script',
    1_000_000,
    ['packages/core/src/ports/limits.ts', 'allBytes'],
    ['docs/runners.md', /more than ([\d,]+) bytes together/],
  ],
  [
    'time for a call of a storage engine',
    10_000,
    ['packages/storage/src/stores.ts', 'DEFAULT_TIMEOUT_MS'],
    ['packages/storage/src/stores.ts', /that others come before\. Default ([\d,]+)/],
    ['docs/storage.md', /`timeout` +\| ([\d,]+) ms/],
  ],
  [
    'tenants whose lists are kept in memory',
    100,
    ['packages/storage/src/stores.ts', 'DEFAULT_TENANTS'],
    ['packages/storage/src/stores.ts', /lists of skills are kept in memory.*?Default ([\d,]+)/],
    ['docs/storage.md', /`maxTenants` +\| ([\d,]+)/],
  ],
  [
    'bytes of files of a storage engine that are kept in memory',
    64 * KIB * KIB,
    ['packages/storage/src/stores.ts', 'DEFAULT_CACHE_BYTES'],
    ['packages/storage/src/stores.ts', /bytes of files are kept in memory.*?Default (64 MiB)/],
    ['docs/storage.md', /`cacheBytes` +\| (64 MiB)/],
  ],
  [
    'bytes of the name of a tenant',
    128,
    ['packages/storage/src/namespace.ts', 'MAX_TENANT_BYTES'],
    ['packages/storage/src/stores.ts', /any text of at most (\d+) bytes/],
    ['docs/storage.md', /any text of at most (\d+) bytes/],
  ],
  [
    'from where a save to PostgreSQL goes in parts',
    KIB * KIB,
    ['packages/storage/src/postgres/engine.ts', 'MAX_INLINE_BYTES'],
    ['docs/storage.md', /2 round trips; 3 or more from (1 MiB)/],
  ],
]
