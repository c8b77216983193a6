import type { OtherNames } from './other-names.ts'

/** The subcommands of `docker container` that docker also has by themselves. */
const CONTAINER =
  'attach commit cp create diff exec export kill logs pause port rename restart run start stats stop top unpause update wait'

/** The same of `docker image`. */
const IMAGE = 'history import load pull push save tag'

const DOCKER: OtherNames = {
  same: [
    '--network|--net',
    '--network-alias|--net-alias',
    ...CONTAINER.split(' ').map((name) => `${name}|container ${name}`),
    ...IMAGE.split(' ').map((name) => `${name}|image ${name}`),
    'rm|container rm|container remove',
    'rmi|image rm|image remove|image untag|untag',
    'ps|container ls|container list|container ps',
    'images|image ls|image list',
    'build|image build|builder build|buildx build|buildx b',
    'builder prune|buildx prune',
    'container prune|system prune',
    'image prune|system prune',
    'network prune|system prune',
    'volume prune|system prune --volumes',
    'inspect|container inspect|image inspect|network inspect|volume inspect',
    'info|system info',
    'events|system events',
    'stack rm|stack remove|stack down',
    'stack deploy|stack up',
    'rm|remove',
    'ls|list',
  ],
}

/** Kubernetes' resources: plural, singular and short names. `all` is most of what runs. */
const RESOURCES = [
  'componentstatuses|componentstatus|cs',
  'configmaps|configmap|cm',
  'endpoints|ep',
  'events|event|ev',
  'limitranges|limitrange|limits',
  'namespaces|namespace|ns',
  'nodes|node|no',
  'persistentvolumeclaims|persistentvolumeclaim|pvc',
  'persistentvolumes|persistentvolume|pv',
  'pods|pod|po|all',
  'podtemplates|podtemplate',
  'replicationcontrollers|replicationcontroller|rc|all',
  'resourcequotas|resourcequota|quota',
  'secrets|secret',
  'serviceaccounts|serviceaccount|sa',
  'services|service|svc|all',
  'mutatingwebhookconfigurations|mutatingwebhookconfiguration',
  'validatingwebhookconfigurations|validatingwebhookconfiguration',
  'customresourcedefinitions|customresourcedefinition|crd|crds',
  'apiservices|apiservice',
  'controllerrevisions|controllerrevision',
  'daemonsets|daemonset|ds|all',
  'deployments|deployment|deploy|all',
  'replicasets|replicaset|rs|all',
  'statefulsets|statefulset|sts|all',
  'horizontalpodautoscalers|horizontalpodautoscaler|hpa|all',
  'cronjobs|cronjob|cj|all',
  'jobs|job|all',
  'certificatesigningrequests|certificatesigningrequest|csr',
  'leases|lease',
  'endpointslices|endpointslice',
  'ingressclasses|ingressclass',
  'ingresses|ingress|ing',
  'networkpolicies|networkpolicy|netpol',
  'poddisruptionbudgets|poddisruptionbudget|pdb',
  'clusterrolebindings|clusterrolebinding',
  'clusterroles|clusterrole',
  'rolebindings|rolebinding',
  'roles|role',
  'priorityclasses|priorityclass|pc',
  'storageclasses|storageclass|sc',
  'volumeattachments|volumeattachment',
]

/** Containers, clusters and clouds. */
export const CLUSTERS: Readonly<Record<string, OtherNames>> = {
  'docker podman nerdctl': DOCKER,
  'docker-compose podman-compose': { same: ['rm|remove', 'ls|list', 'up|create'] },
  'kubectl oc': {
    separator: /[,/.]/,
    userDefined: true,
    same: [
      'logs|log',
      ...RESOURCES,
      ...(
        'alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config ' +
        'cordon cp create debug delete describe diff drain edit events exec explain expose get help kustomize label ' +
        'options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait ' +
        'adm login logout new-app new-project process project projects rsh rsync start-build status tag whoami'
      ).split(' '),
    ],
  },
  helm: {
    same: [
      'uninstall|del|delete|un|remove|rm',
      'list|ls',
      'history|hist',
      'dependency|dep|dependencies',
      'repo remove|repo rm',
      'show|inspect',
      'pull|fetch',
      'update|up',
      'install|add',
    ],
  },
  'terraform tofu terragrunt': {
    same: ['destroy|apply -destroy|apply --destroy', 'workspace|env', 'run-all|run --all', 'remove|rm|delete'],
  },
  pulumi: { same: ['destroy|down|dn', 'up|update', 'preview|pre', 'remove|rm|delete', 'list|ls', 'stack|stacks'] },
  cdk: { same: ['synth|synthesize', 'list|ls', 'docs|doc', 'acknowledge|ack'] },
  'vercel vc now': {
    same: [
      'deploy|$',
      'remove|rm',
      'list|ls',
      'domains|domain',
      'alias|aliases|ln',
      'secrets|secret',
      'projects|project',
      'certs|cert',
      'logs|log',
      'teams|team|switch',
      'rollback|rb',
      'dev|develop',
    ],
  },
  'fly flyctl': {
    same: [
      'destroy|apps destroy',
      'delete|destroy|remove|rm',
      'list|ls',
      'machine|machines|m',
      'volumes|volume|vol',
      'apps|app',
      'secrets|secret',
      'postgres|pg',
    ],
  },
  wrangler: { same: ['deploy|publish', 'delete|remove|rm'] },
  heroku: {
    same: [
      'apps:destroy|destroy|apps:delete',
      'apps:create|create',
      'config:unset|config:remove',
      'config:set|config:add',
      'addons:destroy|addons:remove',
      'ps:scale|scale|dyno:scale',
      'ps:restart|restart|dyno:restart',
      'ps:stop|dyno:stop|ps:kill|dyno:kill',
      'releases:rollback|rollback',
    ],
  },
  'lxc incus': { same: ['delete|rm|remove', 'list|ls', 'copy|cp', 'move|mv|rename', 'create|init'] },
}
