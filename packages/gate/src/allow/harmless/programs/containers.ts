import { type HarmlessProgram, NO_OPERANDS, type WordCheck, oneOf } from '../program.ts'

const RUN = `
    -d,--detach -i,--interactive -t,--tty --rm --name= -e,--env= -p,--publish= -P,--publish-all --expose=
    -w,--workdir= -u,--user= --entrypoint= --network,--net= --network-alias= --platform= --pull= --restart=
    -h,--hostname= -l,--label= -m,--memory= --memory-swap= --cpus= --cpuset-cpus= --gpus= --shm-size= --init
    --read-only --stop-timeout= --stop-signal= -q,--quiet --no-healthcheck --health-cmd= --health-interval=
    --health-retries= --health-timeout= --pids-limit= --ulimit= --tmpfs= --cap-drop= 
    --sig-proxy !-v,--volume= !--mount= !--volumes-from= !--privileged !--cap-add= !--device= !--security-opt=
    !--pid= !--ipc= !--uts= !--userns= !--cgroupns= !--env-file= !--label-file= !--cidfile= !--add-host=
    !--group-add= !--sysctl= !--runtime= !--volume-driver=
  `

/** The name of an image: a cache of another type is fetched from an address or a folder. */
const isImage: WordCheck = (name) => /^[\w./:@-]+$/.test(name)
/** A variable with a value: alone, it would be the one of this machine. */
const isVariable: WordCheck = (word) => /^\w+=/.test(word)
/** A network of its own, not that of this machine or of another container. */
const isOwnNetwork: WordCheck = (name) => /^[\w.-]+$/.test(name) && name !== 'host'
const isNearby: WordCheck = (path) => {
  const parts = path.replace(/^\.\//, '').split('/')
  if (/[:?\\]|^[/~]|^-$|\/\//.test(path) || parts.includes('..')) return false
  // A first part such as `github.com` is taken for the name of a machine.
  return path.startsWith('./') || parts.length === 1 || !/^[^.]+\./.test(parts[0]!)
}

const VALUES = {
  '-e': isVariable,
  '--build-arg': isVariable,
  '--network': isOwnNetwork,
  '--restart': oneOf('no always on-failure unless-stopped'),
}
const LOGS = '-f,--follow --since= -n,--tail= -t,--timestamps --until= --details --no-color --no-log-prefix --index='
const LIST = `
    -a,--all -f,--filter= --format= -n,--last= -l,--latest --no-trunc -q,--quiet -s,--size --digests --tree
    --orphans --services --status=
  `

export const DOCKER: HarmlessProgram = {
  names: 'docker',
  syntax: 'pflag',
  everywhere: '--help',
  before: `
      -v,--version -l,--log-level= !-H,--host= !-c,--context= !--config= !-D,--debug !--tls !--tlscacert=
      !--tlscert= !--tlskey= !--tlsverify
    `,
  groups: {
    compose: {
      options: `
          -f,--file= -p,--project-name= --profile= --progress= --ansi= --parallel= --dry-run --compatibility
          --all-resources !--env-file= !--project-directory=
        `,
      values: { '-f': isNearby },
    },
  },
  uses: {
    'ps,container ls,container ps,container list,images,image ls,image list,volume ls,volume list,network ls,network list,context ls,context list,context show,compose ps,compose images,compose ls,compose volumes,buildx ls,system df,version,info,system info,search': `${LIST} -v,--verbose --no-index --limit=`,
    'logs,container logs,compose logs': LOGS,
    'inspect,container inspect,image inspect,volume inspect,network inspect,context inspect,manifest inspect,buildx inspect':
      '-f,--format= -s,--size --type= -v,--verbose --platform=',
    'stats,container stats,top,container top,port,container port,diff,container diff,history,image history,events,system events,compose top,compose port,compose events,compose version,compose stats,compose stop,compose kill,compose pause,compose unpause,wait,container wait': `
        -a,--all --format= --no-stream --no-trunc -H,--human -q,--quiet -f,--filter,--short= --since= --until=
        --json --index= --protocol= -t,--timeout= -s,--signal= --remove-orphans --platform=
      `,
    'compose config': `
        -q,--quiet --services --volumes --images --profiles --hash= --format= --no-interpolate --no-normalize
        --no-path-resolution --resolve-image-digests --environment --variables --networks !-o,--output=
      `,
    'compose restart,compose start,start,container start,restart,container restart,stop,container stop,kill,container kill,pause,container pause,unpause,container unpause,rename,container rename':
      '-t,--timeout,--time= -s,--signal= --no-deps -a,--attach -i,--interactive --wait',
    'rm,container rm,container remove,rmi,image rm,image remove,volume rm,volume remove,network rm,network remove,compose rm,compose down,container prune,image prune,volume prune,network prune,system prune,builder prune': `
        -f,--force -v,--volumes -l,--link --no-prune -a,--all --filter= -s,--stop --rmi= --remove-orphans
        -t,--timeout= --keep-storage=
      `,
    'pull,image pull,compose pull':
      '-a,--all-tags -q,--quiet --platform= --ignore-pull-failures --include-deps --policy= --disable-content-trust',
    'tag,image tag': '',
    'network create,network connect,network disconnect,volume create': `
        -d,--driver= --label= --name= --subnet= --gateway= --ip-range= --internal --attachable --ipv6 --alias=
        --ip= -f,--force !-o,--opt=
      `,
    // These run what is in an image, or hand files and images on.
    'run,container run,create,container create': {
      options: RUN,
      values: VALUES,
      runsCode: true,
      named: true,
      passesOn: { to: 'program', from: 1 },
    },
    'exec,container exec': {
      options: '-d,--detach -e,--env= -i,--interactive -t,--tty -u,--user= -w,--workdir= !--privileged !--env-file=',
      values: VALUES,
      runsCode: true,
      named: true,
      passesOn: { to: 'program', from: 1 },
    },
    'build,image build,buildx build': {
      options: `
          -t,--tag= -f,--file= --no-cache --no-cache-filter= --pull -q,--quiet --progress= --platform=
          --build-arg= --target= --label= --rm --force-rm --load --network= --cache-from= --shm-size=
          !-o,--output= !--secret= !--ssh= !--allow= !--iidfile= !--metadata-file= !--cache-to= !--push
          !--build-context= !--add-host= !--security-opt= !--builder=
        `,
      values: {
        '-f': isNearby,
        '--network': oneOf('none default'),
        '--build-arg': isVariable,
        '--cache-from': isImage,
      },
      operands: isNearby,
      runsCode: true,
      named: true,
    },
    'compose up,compose run,compose exec,compose build,compose create,compose watch': {
      options: `
          -d,--detach --build --no-build --no-cache --pull= --force-recreate --no-recreate --no-deps --no-start
          --remove-orphans -V,--renew-anon-volumes --scale= -t,--timeout= --timestamps --wait --wait-timeout=
          --abort-on-container-exit --exit-code-from= --attach= --no-attach= --no-color --no-log-prefix
          -q,--quiet --quiet-pull --rm --name= -e,--env= -w,--workdir= -u,--user= -T,--no-TTY -i,--interactive
          -P,--service-ports --entrypoint= --index= --build-arg= --progress= -w,--watch !-v,--volume=
          !--privileged !--env-from-file= !--ssh= !--push !--publish=
        `,
      values: VALUES,
      runsCode: true,
      named: true,
      passesOn: { to: 'program', from: 1 },
    },
    'push,image push': { options: '-a,--all-tags -q,--quiet --platform=', named: true },
    'cp,container cp': { options: '-a,--archive -L,--follow-link -q,--quiet', named: true },
  },
}

const SELECT = '-l,--selector= -A,--all-namespaces --field-selector='
const OUTPUT =
  '-o,--output= --show-labels --sort-by= --no-headers --template= --show-managed-fields --allow-missing-template-keys'
const DRY =
  '--dry-run=? --field-manager= --force --wait --timeout= --grace-period= --cascade=? --now --overwrite --record -y'

/** A manifest of the project's, and not one that is fetched. */
const isFile: WordCheck = (name) => !name.includes('://')
const MANIFEST = { '-f': isFile, '-k': isNearby }

const MANIFESTS = {
  options: `
    ${SELECT} ${OUTPUT} ${DRY} -f,--filename= -k,--kustomize= -R,--recursive --prune --all
    --prune-allowlist= --server-side --force-conflicts --validate=? --save-config
    --openapi-patch --subresource= --image= --replicas= --port= --schedule= --from= --from-literal= --type=
    --docker-server= --docker-username= --docker-password= --docker-email= --clusterrole= --role= --user=
    --group= --serviceaccount= --verb= --resource= --resource-name= --tcp= --node-port= --class= --rule=
    --hard= --value= --description= !--from-file= !--from-env-file= !--cert= !--key= !--edit !--raw=
  `,
  values: MANIFEST,
}

export const KUBECTL: HarmlessProgram = {
  names: 'kubectl',
  syntax: 'pflag',
  everywhere: `
      -h,--help -n,--namespace= --context= --request-timeout= --v,-v= !--kubeconfig= !-s,--server= !--token=
      !--as= !--as-group= !--as-uid= !--user= !--username= !--password= !--cluster= !--certificate-authority=
      !--client-certificate= !--client-key= !--insecure-skip-tls-verify !--tls-server-name= !--cache-dir=
      !--profile= !--profile-output= !--log-dir= !--log-file= !--kuberc=
    `,
  uses: {
    get: {
      options: `
        ${SELECT} ${OUTPUT} -f,--filename= -k,--kustomize= -R,--recursive -w,--watch --watch-only
        --output-watch-events --show-kind --ignore-not-found -L,--label-columns= --chunk-size= --raw=
        --server-print --subresource=
      `,
      values: MANIFEST,
    },
    'describe,explain,events,top node,top nodes,top pod,top pods,top,api-resources,api-versions,cluster-info,version,auth can-i,auth whoami':
      {
        options: `
          ${SELECT} ${OUTPUT} -f,--filename= -R,--recursive --show-events --chunk-size= --api-version=
          --namespaced --verbs= --api-group= --cached --categories= --client --short --containers --sum --for=
          --types= -w,--watch -q,--quiet --list --no-headers --use-protocol-buffers
        `,
        values: MANIFEST,
      },
    logs: `
      ${SELECT} -f,--follow -c,--container= -p,--previous --since= --since-time= --tail= --timestamps
      --all-containers --all-pods --prefix --max-log-requests= --limit-bytes= --ignore-errors
      --pod-running-timeout=
    `,
    'rollout status,rollout history,rollout restart,rollout undo,rollout pause,rollout resume,scale,autoscale,delete,patch,label,annotate,set image,set env,set resources,expose,cordon,uncordon,drain,taint,wait':
      {
        options: `
          ${SELECT} ${OUTPUT} ${DRY} -f,--filename= -k,--kustomize= -R,--recursive --revision= --to-revision=
          -w,--watch --replicas= --current-replicas= --resource-version= --min= --max= --cpu-percent= --all
          --local --list --resource-version= -p,--patch= --type= --subresource= --port= --target-port=
          --protocol= --name= --labels= --cluster-ip= --session-affinity= --external-ip= --ignore-daemonsets
          --delete-emptydir-data --disable-eviction --pod-selector= --skip-wait-for-delete-timeout= --for=
          --ignore-not-found -c,--containers= -e,--env= --limits= --requests= --raw= !--patch-file= !--from=
          !--overrides= !--load-balancer-ip=
        `,
        values: { ...MANIFEST, '-e': isVariable },
      },
    'apply view-last-applied': `${SELECT} ${OUTPUT} --all -f,--filename=`,
    // With a word behind it, it may be `apply edit-last-applied`, which opens an editor.
    apply: { ...MANIFESTS, operands: NO_OPERANDS },
    'create,replace': MANIFESTS,
    'config view,config current-context,config get-contexts,config get-clusters,config get-users,config use-context,plugin list':
      '-o,--output= --minify --flatten --no-headers --merge --name-only !--raw',
    exec: {
      options: '-c,--container= -i,--stdin -t,--tty -q,--quiet --pod-running-timeout= !-f,--filename=',
      runsCode: true,
      named: true,
      passesOn: { to: 'program', from: '--' },
    },
    run: {
      options: `
          --image= --rm -i,--stdin -t,--tty --restart= --env= --labels,-l= --port= --command
          --image-pull-policy= --quiet,-q --attach --dry-run=? -o,--output= --expose --wait
          --pod-running-timeout= --leave-stdin-open --grace-period= --timeout= --force !--overrides=
          !--override-type= !--privileged
        `,
      values: { '--env': isVariable },
      runsCode: true,
      named: true,
      passesOn: { to: 'program', from: '--' },
    },
    'cp,port-forward': {
      options: '-c,--container= --no-preserve --retries= --pod-running-timeout= !--address=',
      named: true,
    },
  },
}
