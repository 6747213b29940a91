{{/*
Checks that a JSON schema cannot express. Each message names the problem and shows what to write. The Job `validate` runs
the gateway's own checks of `config`.
*/}}
{{- define "gateway.check" -}}
{{- $config := .Values.config -}}
{{- $server := default (dict) $config.server -}}
{{- $hasOwn := .Values.existingConfigMap -}}
{{- /* `helm lint` neither installs nor upgrades, and default values are no mistake there. */ -}}
{{- $isDeployed := or .Release.IsInstall .Release.IsUpgrade -}}
{{- if and $isDeployed (not $hasOwn) (not $config.upstream) (not $config.routes) (not $config.providers) (ne .Values.mode "sidecar") -}}
{{- fail `

Nothing is configured yet: the gateway needs the URL of your app and a provider that signs users in.

1. Create two Secrets:

   kubectl create secret generic gateway-session --from-literal=session.key="$(openssl rand -base64 32)"
   kubectl create secret generic gateway-acme --from-literal=client-secret='FROM YOUR PROVIDER'

2. Write values.yaml:

   config:
     server:
       publicURL: https://app.example.com
     upstream: http://my-app.default.svc:8080
     providers:
       - id: oidc.acme
         issuer: https://auth.example.com
         clientID: acme-web
   secrets:
     session: { existingSecret: gateway-session }
     providers:
       oidc.acme: { existingSecret: gateway-acme }

3. Install again with --values values.yaml.

The README of the chart has three complete examples. To deploy your app with the gateway in one pod, set mode: sidecar.
` -}}
{{- end -}}
{{- if and (eq .Values.mode "sidecar") (not .Values.app.image) -}}
{{- fail "\n\nmode: sidecar deploys your app with the gateway in the same pod, and app.image is not set, for instance\n\n  app:\n    image: registry.example.com/my-app:1.4\n    port: 8080\n\nTo add the gateway to a pod of another chart, see `mode: library` in the README.\n" -}}
{{- end -}}
{{- if and (ne .Values.mode "sidecar") .Values.app.image -}}
{{- fail (printf "\n\napp.image is set, but mode is %s: only mode: sidecar deploys an app.\n" .Values.mode) -}}
{{- end -}}
{{- if and (ne .Values.mode "standalone") .Values.sidecar.native (semverCompare "<1.29.0-0" .Capabilities.KubeVersion.Version) -}}
{{- fail (printf "\n\nKubernetes %s has no native sidecars (1.29 and later do). Set\n\n  sidecar:\n    native: false\n" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if and (eq .Values.mode "library") .Values.serviceMonitor.enabled -}}
{{- fail "\n\nserviceMonitor needs a Service of this chart, and mode: library has none. Set podMonitor.enabled instead.\n" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled .Values.podMonitor.enabled -}}
{{- fail "\n\nserviceMonitor.enabled and podMonitor.enabled are both true: every metric would be counted twice. Keep one.\n" -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- fail (printf "\n\nautoscaling.minReplicas (%d) is more than autoscaling.maxReplicas (%d).\n" (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- end -}}
{{- if .Values.forwardAuth.enabled -}}
{{- if eq .Values.mode "library" -}}
{{- fail "\n\nforwardAuth needs a Service of this chart, and mode: library has none.\n" -}}
{{- end -}}
{{- if .Values.existingConfigMap -}}
{{- fail (printf "\n\nforwardAuth.enabled is true, and the configuration is in existingConfigMap (%s), which the chart cannot change.\n" .Values.existingConfigMap) -}}
{{- end -}}
{{- if not .Values.forwardAuth.peers -}}
{{- fail "\n\nforwardAuth.enabled is true, and forwardAuth.peers is empty: nobody could ask. Set it to the network of the proxy's pods, for instance\n\n  forwardAuth:\n    peers: [10.244.0.0/16]\n" -}}
{{- end -}}
{{- if and (eq .Values.forwardAuth.proxy "envoy-gateway") (not .Values.forwardAuth.targetRefs) -}}
{{- fail "\n\nforwardAuth.proxy is envoy-gateway, and forwardAuth.targetRefs is empty. Name the app's routes:\n\n  forwardAuth:\n    targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: my-app }]\n" -}}
{{- end -}}
{{- end -}}
{{- $replicas := int (include "gateway.maximumReplicas" .) -}}
{{- if and (gt $replicas 1) (include "gateway.keepsRevocations" .) -}}
{{- fail (printf "\n\nThere can be %d replicas, and only one gateway can use the file of ended sessions (revocations.existingClaim or config.session.revocations). Set replicaCount: 1 without autoscaling, or remove the file.\n" $replicas) -}}
{{- end -}}
{{- $store := default "cookie" (default (dict) $config.session).store -}}
{{- if and (gt $replicas 1) $config.providers (eq (toString $store) "cookie") (not .Values.acknowledgeProcessLocalSessions) -}}
{{- fail (printf "\n\nThere can be %d replicas. With session.store: cookie, each replica knows only the sessions that ended on itself: after a sign-out or a provider's logout, a copy of the cookie still works on the others. Keep sessions in Redis or Valkey:\n\n  config:\n    session: { store: redis://redis:6379/0 }\n\nOr set replicaCount: 1 without autoscaling. If you accept this, set\n\n  acknowledgeProcessLocalSessions: true\n" $replicas) -}}
{{- end -}}
{{- if and .Values.revocations.existingClaim .Values.existingConfigMap -}}
{{- fail (printf "\n\nrevocations.existingClaim is set, and the configuration is in existingConfigMap (%s), which the chart cannot change. Mount the claim with extraVolumes and extraVolumeMounts, and set session.revocations there.\n" .Values.existingConfigMap) -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "\n\nhttpRoute.enabled needs the name of a Gateway:\n\n  httpRoute:\n    parentRefs:\n      - name: my-gateway\n        namespace: infra\n" -}}
{{- end -}}
{{- if $hasOwn -}}
{{- if or .Values.secrets.providers (gt (len (keys $config)) 1) -}}
{{- fail (printf "\n\nexistingConfigMap (%s) and config or secrets.providers are both set. With your own ConfigMap, write everything into its gateway.yaml, and mount Secrets with extraVolumes and extraVolumeMounts.\n" .Values.existingConfigMap) -}}
{{- end -}}
{{- else -}}
{{- if $server.listen -}}
{{- fail "\n\nconfig.server.listen is set by the chart, because probes, Services and policies need the same port. Write\n\n  containerPorts:\n    http: 4180\n" -}}
{{- end -}}
{{- if (default (dict) $config.admin).listen -}}
{{- fail "\n\nconfig.admin.listen is set by the chart, because probes and metrics need the same port. Write\n\n  containerPorts:\n    admin: 9180\n" -}}
{{- end -}}
{{- if and .Values.tls.existingSecret (default (dict) $server.tls).certificate -}}
{{- fail "\n\ntls.existingSecret and config.server.tls.certificate are both set: two certificates for one listener. Keep one.\n" -}}
{{- end -}}
{{- include "gateway.checkSecrets" . -}}
{{- end -}}
{{- end -}}

{{/* Keeps secrets out of the ConfigMap. */}}
{{- define "gateway.checkSecrets" -}}
{{- $config := .Values.config -}}
{{- $session := default (dict) $config.session -}}
{{- $ids := list -}}
{{- range default (list) $config.providers -}}
{{- $id := toString .id -}}
{{- $ids = append $ids $id -}}
{{- $mounted := get $.Values.secrets.providers $id -}}
{{- if and $mounted (or .clientSecret .privateKey) -}}
{{- fail (printf "\n\nThe secret of the provider %s is set twice: in config.providers and in secrets.providers. Keep one.\n" $id) -}}
{{- end -}}
{{- $provider := . -}}
{{- range $key := list "clientSecret" "privateKey" -}}
{{- $value := toString (default "" (get $provider $key)) -}}
{{- if and $value (not (contains "${" $value)) -}}
{{- fail (printf "\n\nconfig.providers has the %s of %s in clear text, and everyone who can read the ConfigMap could read it. Remove it, and\n\n  kubectl create secret generic my-secret --from-literal=client-secret='…'\n\n  secrets:\n    providers:\n      %s: { existingSecret: my-secret }\n" $key $id $id) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $id, $_ := .Values.secrets.providers -}}
{{- if not (has $id $ids) -}}
{{- fail (printf "\n\nsecrets.providers names %s, and config.providers has no provider with that id; it has: %s\n" $id (default "none" (join ", " $ids))) -}}
{{- end -}}
{{- end -}}
{{- range default (list) $session.keys -}}
{{- if not (contains "${" (toString .)) -}}
{{- fail "\n\nconfig.session.keys has a key in clear text, and everyone who can read the ConfigMap could forge sessions. Remove it, and\n\n  kubectl create secret generic gateway-session --from-literal=session.key=\"$(openssl rand -base64 32)\"\n\n  secrets:\n    session: { existingSecret: gateway-session }\n" -}}
{{- end -}}
{{- end -}}
{{- $store := include "gateway.sessionStoreURL" . -}}
{{- $hasPassword := contains "@" $store -}}
{{- if and $hasPassword (not (contains "${" $store)) -}}
{{- fail "\n\nconfig.session.store has a password in clear text, and everyone who can read the ConfigMap could read it. Remove it from the URL, and\n\n  kubectl create secret generic gateway-store --from-literal=password='…'\n\n  secrets:\n    sessionStore: { existingSecret: gateway-store }\n" -}}
{{- end -}}
{{- if .Values.secrets.sessionStore.existingSecret -}}
{{- if not $store -}}
{{- fail "\n\nsecrets.sessionStore is set, and config.session.store names no store. Write\n\n  config:\n    session: { store: redis://redis:6379/0 }\n" -}}
{{- end -}}
{{- if $hasPassword -}}
{{- fail "\n\nThe password of the session store is set twice: in config.session.store and in secrets.sessionStore. Keep one.\n" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.secrets.session.existingSecret $session.keys -}}
{{- fail "\n\nsecrets.session.existingSecret and config.session.keys are both set. Keep one.\n" -}}
{{- end -}}
{{- if and $ids (not .Values.secrets.session.existingSecret) (not $session.keys) -}}
{{- fail "\n\nThere is no session key: every pod would generate its own, and sessions would not survive a restart.\n\n  kubectl create secret generic gateway-session --from-literal=session.key=\"$(openssl rand -base64 32)\"\n\n  secrets:\n    session: { existingSecret: gateway-session }\n" -}}
{{- end -}}
{{- end -}}
