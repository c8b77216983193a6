import { list, type Program } from './program.ts'

/** Programs for clusters and clouds. */
export const CLOUD: readonly Program[] = [
  {
    names: ['kubectl'],
    unsafe: {
      options: list(
        '--kubeconfig --cache-dir --profile-output --output-directory --enable-exec --enable-alpha-plugins --helm-command ' +
          '--log-file --log-dir',
      ),
      harmless: ['--profile', '--output'],
      readingUses: new Map([
        ['config', list('view current-context get-clusters get-contexts get-users use-context')],
        ['plugin', ['list']],
      ]),
    },
    examples: {
      permitted: ['kubectl get pods --output yaml', 'kubectl config view'],
      refused: ['kubectl get pods --kubeconfig=x', 'kubectl config set-credentials x'],
    },
  },
  {
    names: ['helm'],
    unsafe: {
      options: list('--post-renderer --post-renderer-args --kubeconfig --output-dir --registry-config'),
      harmless: ['--output'],
      readingUses: new Map([['plugin', ['list', 'ls']]]),
    },
    examples: { permitted: ['helm list -A'], refused: ['helm template x --post-renderer id', 'helm plugin install x'] },
  },
  {
    names: ['aws'],
    unsafe: { options: ['--kubeconfig'], readingUses: new Map([['configure', ['list', 'get', 'list-profiles']]]) },
    examples: { permitted: ['aws s3 ls'], refused: ['aws configure set cli_pager id'] },
  },
  {
    names: ['gcloud'],
    unsafe: { options: ['--flags-file', '--ssh-flag', '--scp-flag'], words: ['ssh', 'scp', 'start-iap-tunnel'] },
    examples: { permitted: ['gcloud info'], refused: ['gcloud compute ssh x'] },
  },
  {
    names: ['az'],
    unsafe: {
      options: ['--output-file'],
      harmless: ['--output'],
      readingUses: new Map([['extension', ['list', 'show']]]),
    },
    examples: { permitted: ['az vm list --output table'], refused: ['az extension add --source x'] },
  },
]
