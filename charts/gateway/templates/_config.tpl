{{/* Where the gateway's container finds its files. `gateway render sidecar` uses the same paths. */}}
{{- define "gateway.configFolder" -}}/etc/gateway{{- end -}}
{{- define "gateway.configFile" -}}/etc/gateway/gateway.yaml{{- end -}}
{{- define "gateway.secretsFolder" -}}/etc/gateway-secrets{{- end -}}
{{- define "gateway.tlsFolder" -}}/etc/gateway-tls{{- end -}}
{{- define "gateway.stateFolder" -}}/var/lib/gateway{{- end -}}

{{/* One gateway at a time can use the file of revocations. */}}
{{- define "gateway.keepsRevocations" -}}
{{- if or .Values.revocations.existingClaim (default (dict) .Values.config.session).revocations -}}true{{- end -}}
{{- end -}}

{{/* A provider id as a file name: `~` where an id has a slash, as in the gateway's URLs. */}}
{{- define "gateway.providerFile" -}}{{ . | replace "/" "~" }}{{- end -}}

{{- define "gateway.configMapName" -}}
{{- default (include "gateway.fullname" .) .Values.existingConfigMap -}}
{{- end -}}

{{/* The configuration as a YAML text: `config` with what the chart itself sets. */}}
{{- define "gateway.config" -}}
{{- include "gateway.check" . -}}
{{- $config := deepCopy .Values.config -}}
{{- $server := deepCopy (default (dict) $config.server) -}}
{{- $_ := set $server "listen" (printf ":%d" (int .Values.containerPorts.http)) -}}
{{- /* Kubernetes takes the pod's address out of the Service while it already stops; until that is known everywhere, it is asked. */ -}}
{{- $_ := set $server "timeouts" (merge (dict) (default (dict) $server.timeouts) (dict "drainDelay" "5s")) -}}
{{- if .Values.tls.existingSecret -}}
{{- $folder := include "gateway.tlsFolder" . -}}
{{- $_ := set $server "tls" (merge (dict "certificate" (printf "%s/tls.crt" $folder) "key" (printf "%s/tls.key" $folder)) (default (dict) $server.tls)) -}}
{{- end -}}
{{- $_ := set $config "server" $server -}}
{{- $_ := set $config "admin" (merge (dict "listen" (printf ":%d" (int .Values.containerPorts.admin))) (default (dict) $config.admin)) -}}
{{- if .Values.forwardAuth.enabled -}}
{{- $listen := dict "listen" (printf ":%d" (int .Values.containerPorts.authorization)) -}}
{{- $_ := set $config "authorization" (merge $listen (dict "peers" .Values.forwardAuth.peers) (default (dict) $config.authorization)) -}}
{{- end -}}
{{- if and (eq .Values.mode "sidecar") (not $config.upstream) -}}
{{- $_ := set $config "upstream" (printf "http://127.0.0.1:%d" (int .Values.app.port)) -}}
{{- end -}}
{{- $secrets := include "gateway.secretsFolder" . -}}
{{- if .Values.secrets.session.existingSecret -}}
{{- $keys := list -}}
{{- range .Values.secrets.session.keys -}}{{- $keys = append $keys (printf "${file:%s/session/%s}" $secrets .) -}}{{- end -}}
{{- $_ := set $config "session" (merge (dict "keys" $keys) (default (dict) $config.session)) -}}
{{- end -}}
{{- if .Values.secrets.sessionStore.existingSecret -}}
{{- $session := deepCopy (default (dict) $config.session) -}}
{{- $_ := set $session "store" (include "gateway.sessionStore" . | fromJson) -}}
{{- $_ := set $config "session" $session -}}
{{- end -}}
{{- if .Values.revocations.existingClaim -}}
{{- $path := printf "%s/revocations" (include "gateway.stateFolder" .) -}}
{{- $_ := set $config "session" (merge (dict) (default (dict) $config.session) (dict "revocations" $path)) -}}
{{- end -}}
{{- $providers := list -}}
{{- range $provider := default (list) $config.providers -}}
{{- $provider = deepCopy $provider -}}
{{- with get $.Values.secrets.providers (toString $provider.id) -}}
{{- $folder := printf "%s/providers/%s" $secrets (include "gateway.providerFile" $provider.id) -}}
{{- if .privateKeyKey -}}{{- $_ := set $provider "privateKey" (printf "${file:%s/private-key}" $folder) -}}{{- end -}}
{{- if or .clientSecretKey (not .privateKeyKey) -}}{{- $_ := set $provider "clientSecret" (printf "${file:%s/client-secret}" $folder) -}}{{- end -}}
{{- end -}}
{{- $providers = append $providers $provider -}}
{{- end -}}
{{- if $providers -}}{{- $_ := set $config "providers" $providers -}}{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{/* The URL of `config.session.store`, which is a text or a mapping; empty without one. */}}
{{- define "gateway.sessionStoreURL" -}}
{{- $store := default "" (default (dict) .Values.config.session).store -}}
{{- if kindIs "map" $store -}}{{- default "" $store.url -}}{{- else if ne (toString $store) "cookie" -}}{{- $store -}}{{- end -}}
{{- end -}}

{{/* `session.store` with what `secrets.sessionStore` adds, as JSON. */}}
{{- define "gateway.sessionStore" -}}
{{- $given := (default (dict) .Values.config.session).store -}}
{{- $store := dict -}}
{{- if kindIs "map" $given -}}{{- $store = deepCopy $given -}}{{- end -}}
{{- $secret := .Values.secrets.sessionStore -}}
{{- $folder := printf "%s/session-store" (include "gateway.secretsFolder" .) -}}
{{- $parts := splitn "://" 2 (include "gateway.sessionStoreURL" .) -}}
{{- $_ := set $store "url" (printf "%s://%s:${file:%s/%s}@%s" $parts._0 $secret.username $folder $secret.passwordKey $parts._1) -}}
{{- with $secret.caKey -}}{{- $_ := set $store "ca" (printf "%s/%s" $folder .) -}}{{- end -}}
{{- with $secret.sentinelPasswordKey -}}{{- $_ := set $store "sentinelPassword" (printf "${file:%s/%s}" $folder .) -}}{{- end -}}
{{- $store | toJson -}}
{{- end -}}

{{/* The data of the ConfigMap, the same for the pods and for the Job that checks it. */}}
{{- define "gateway.configMapData" -}}
gateway.yaml: |
{{ include "gateway.config" . | indent 2 }}
{{- end -}}

{{- define "gateway.usesSecrets" -}}
{{- if or .Values.secrets.session.existingSecret .Values.secrets.sessionStore.existingSecret .Values.secrets.providers -}}true{{- end -}}
{{- end -}}

{{/* The volumes of the gateway's container. */}}
{{- define "gateway.sidecar.volumes" -}}
- name: gateway-config
  configMap:
    name: {{ include "gateway.configMapName" . }}
{{- include "gateway.secretVolumes" . }}
{{- with .Values.revocations.existingClaim }}
- name: gateway-state
  persistentVolumeClaim:
    claimName: {{ . }}
{{- end }}
{{- end -}}

{{- define "gateway.secretVolumes" -}}
{{- if include "gateway.usesSecrets" . }}
- name: gateway-secrets
  projected:
    defaultMode: 0440
    sources:
      {{- with .Values.secrets.session }}
      {{- if .existingSecret }}
      - secret:
          name: {{ .existingSecret }}
          items:
            {{- range .keys }}
            - key: {{ . | quote }}
              path: {{ printf "session/%s" . | quote }}
            {{- end }}
      {{- end }}
      {{- end }}
      {{- with .Values.secrets.sessionStore }}
      {{- if .existingSecret }}
      - secret:
          name: {{ .existingSecret }}
          items:
            {{- range list .passwordKey .caKey .sentinelPasswordKey | compact | uniq }}
            - key: {{ . | quote }}
              path: {{ printf "session-store/%s" . | quote }}
            {{- end }}
      {{- end }}
      {{- end }}
      {{- range $id, $provider := .Values.secrets.providers }}
      {{- $folder := printf "providers/%s" (include "gateway.providerFile" $id) }}
      - secret:
          name: {{ $provider.existingSecret }}
          items:
            {{- if or $provider.clientSecretKey (not $provider.privateKeyKey) }}
            - key: {{ default "client-secret" $provider.clientSecretKey | quote }}
              path: {{ printf "%s/client-secret" $folder | quote }}
            {{- end }}
            {{- with $provider.privateKeyKey }}
            - key: {{ . | quote }}
              path: {{ printf "%s/private-key" $folder | quote }}
            {{- end }}
      {{- end }}
{{- end }}
{{- with .Values.certificateAuthorities }}
{{- if .existingConfigMap }}
- name: gateway-certificate-authorities
  configMap:
    name: {{ .existingConfigMap }}
{{- end }}
{{- end }}
{{- with .Values.tls.existingSecret }}
- name: gateway-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "gateway.volumeMounts" -}}
- name: gateway-config
  mountPath: {{ include "gateway.configFolder" . }}
  readOnly: true
{{- if include "gateway.usesSecrets" . }}
- name: gateway-secrets
  mountPath: {{ include "gateway.secretsFolder" . }}
  readOnly: true
{{- end }}
{{- with .Values.certificateAuthorities }}
{{- if .existingConfigMap }}
- name: gateway-certificate-authorities
  mountPath: /etc/ssl/certs/ca-certificates.crt
  subPath: {{ .key }}
  readOnly: true
{{- end }}
{{- end }}
{{- if .Values.tls.existingSecret }}
- name: gateway-tls
  mountPath: {{ include "gateway.tlsFolder" . }}
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end -}}

{{/* Pod annotations that restart the pods when the configuration changes. */}}
{{- define "gateway.sidecar.podAnnotations" -}}
{{- if and (eq .Values.onConfigChange "restart") (not .Values.existingConfigMap) -}}
checksum/gateway-config: {{ include "gateway.config" . | sha256sum }}
{{- end -}}
{{- end -}}

{{/* The gateway as a container, without probes' or sidecars' marks. */}}
{{- define "gateway.plainContainer" -}}
name: gateway
image: {{ include "gateway.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args:
  - run
  - {{ include "gateway.configFile" . }}
  {{- with .Values.extraArgs }}
  {{- tpl (toYaml .) $ | nindent 2 }}
  {{- end }}
{{- with include "gateway.env" . }}
env:
  {{- . | nindent 2 }}
{{- end }}
{{- with .Values.extraEnvFrom }}
envFrom:
  {{- tpl (toYaml .) $ | nindent 2 }}
{{- end }}
ports:
  # Names that no app has: a Service or a monitor that asks for `http` must never find the app's by accident.
  - name: gateway-http
    containerPort: {{ .Values.containerPorts.http }}
    protocol: TCP
  - name: gateway-admin
    containerPort: {{ .Values.containerPorts.admin }}
    protocol: TCP
  {{- if .Values.forwardAuth.enabled }}
  - name: gateway-ask
    containerPort: {{ .Values.containerPorts.authorization }}
    protocol: TCP
  {{- end }}
{{- with .Values.startupProbe }}
startupProbe:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.livenessProbe }}
livenessProbe:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.readinessProbe }}
readinessProbe:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.lifecycle }}
lifecycle:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  {{- include "gateway.volumeMounts" . | nindent 2 }}
  {{- if .Values.revocations.existingClaim }}
  - name: gateway-state
    mountPath: {{ include "gateway.stateFolder" . }}
  {{- end }}
{{- end -}}

{{/* A list of one for `initContainers`: the gateway as a native sidecar. Empty unless `sidecar.native`. */}}
{{- define "gateway.sidecar.initContainers" -}}
{{- if .Values.sidecar.native -}}
- restartPolicy: Always
{{ include "gateway.plainContainer" . | indent 2 }}
{{- end -}}
{{- end -}}

{{/* A list of one for `containers`: the gateway as an ordinary container. Empty if `sidecar.native`. */}}
{{- define "gateway.sidecar.containers" -}}
{{- if not .Values.sidecar.native -}}
-
{{ include "gateway.plainContainer" . | indent 2 }}
{{- end -}}
{{- end -}}

{{/* A list of one for the `ports` of a Service: to the gateway, never to the app. */}}
{{- define "gateway.sidecar.servicePorts" -}}
- name: http
  port: {{ .Values.service.port }}
  # By number: the app's container could have a port of the same name, and requests would bypass the gateway.
  targetPort: {{ .Values.containerPorts.http }}
  protocol: TCP
  appProtocol: {{ default (ternary "https" "http" (not (empty .Values.tls.existingSecret))) .Values.service.appProtocol }}
{{- end -}}
