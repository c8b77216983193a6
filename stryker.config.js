// Mutation testing: every operator, literal and branch of the gate and the session is changed, one at a time, and some
// test has to fail. Whoever finds a survivor has found a line that no test needs: see CONTRIBUTING.md.

export default {
  packageManager: 'pnpm',
  mutate: ['packages/gate/src/**/*.ts', 'packages/core/src/session/**/*.ts', '!**/*.test.ts'],
  // A copy in which the mutants stand; installed packages are linked into it. Only what these tests read is copied:
  // a tsconfig above all is not, since Stryker would rewrite it with an interface that TypeScript 7 no longer has.
  tempDirName: '.stryker-tmp',
  ignorePatterns: [
    '*',
    '!packages/{core,gate,skill-md}/package.json',
    '!packages/{core,gate,skill-md}/{src,test}/**/*',
    '!scripts/property-seed.ts',
    '!vitest.mutation.config.ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  // A mutant is judged by the tests that came through it in the first run, and by no others.
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Shells and property tests take their time on a loaded machine, and a mutant that is merely slow is not killed.
  timeoutMS: 20_000,
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'reports/mutation/mutation.html' },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  thresholds: { high: 95, low: 90, break: 85 },
}
