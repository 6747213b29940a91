{{/* The text of NOTES.txt, as a named template that a parent chart can include in its own notes. */}}
{{- define "gateway.notes" -}}
{{- $server := default (dict) .Values.config.server -}}
{{- $public := default "https://…" $server.publicURL -}}
{{- $prefix := default "/_gateway" $server.pathPrefix -}}
{{- $name := include "gateway.fullname" . -}}
{{- $namespace := include "gateway.namespace" . -}}
{{- if .Values.existingConfigMap -}}
The gateway reads the ConfigMap {{ .Values.existingConfigMap }}. Register this redirect URI at each of its providers:

  PUBLIC-URL{{ $prefix }}/callback/PROVIDER-ID
{{- else -}}
Register these redirect URIs at the providers, exactly as printed:
{{ range default (list) .Values.config.providers }}
  {{ .id }}
    redirect URI              {{ $public }}{{ $prefix }}/callback/{{ toString .id | replace "/" "~" }}
    post-logout redirect URI  {{ $public }}{{ $prefix }}/logged-out
{{- else }}
  none, because no provider is configured: every route is public
{{- end }}
{{- end }}

{{ if eq .Values.mode "library" -}}
This release creates no pods. Include the templates gateway.sidecar.* in the pod of the parent chart.
{{- else -}}
Check the deployment:

  helm test {{ .Release.Name }} --namespace {{ .Release.Namespace }}
  kubectl --namespace {{ $namespace }} port-forward service/{{ $name }}-admin {{ .Values.containerPorts.admin }}
  curl 'http://127.0.0.1:{{ .Values.containerPorts.admin }}/readyz?verbose'
{{- if and (not .Values.ingress.enabled) (not .Values.httpRoute.enabled) (eq .Values.service.type "ClusterIP") }}

The gateway is not reachable from outside the cluster. Set ingress.enabled or httpRoute.enabled, or point your own proxy to

  {{ ternary "https" "http" (not (empty .Values.tls.existingSecret)) }}://{{ $name }}.{{ $namespace }}.svc:{{ .Values.service.port }}
{{- end }}
{{- if and (not .Values.tls.existingSecret) (not $server.trustedProxies) (not .Values.existingConfigMap) }}

config.server.trustedProxies is empty: the gateway takes the address of your ingress controller for the client's address. Set it
to the network of the controller's pods.
{{- end }}
{{- end }}
{{- if and .Values.forwardAuth.enabled (ne .Values.mode "library") }}

Send requests below {{ $prefix }}/ to the Service {{ $name }}, port {{ .Values.service.port }}, without asking.
{{- if eq .Values.forwardAuth.proxy "traefik" }} Add the middleware {{ $namespace }}-{{ $name }}@kubernetescrd to the app's router.
{{- else if eq .Values.forwardAuth.proxy "ingress-nginx" }} Add these annotations to the app's Ingress:

  nginx.ingress.kubernetes.io/auth-url: http://{{ $name }}-authorization.{{ $namespace }}.svc.cluster.local:{{ .Values.containerPorts.authorization }}/nginx
  nginx.ingress.kubernetes.io/auth-signin: {{ $public }}{{ $prefix }}/login?rd=$escaped_request_uri
  nginx.ingress.kubernetes.io/auth-response-headers: {{ include "gateway.identityHeaders" . | fromJsonArray | join "," }}
  nginx.ingress.kubernetes.io/auth-always-set-cookie: "true"
  nginx.ingress.kubernetes.io/proxy-buffer-size: 32k

Sessions with many groups also need large-client-header-buffers: "4 32k" in the controller's ConfigMap, and the annotation
proxy-buffer-size on the Ingress of the gateway.

ingress-nginx asks about the Host header, but chooses the app by the host of the request line if that names one. If rules differ between
hosts, add this to server-snippet in the controller's ConfigMap (not tested with ingress-nginx):

  if ($host != $http_host) { return 400; }
{{- else if not .Values.forwardAuth.proxy }} Your proxy asks the Service {{ $name }}-authorization, port {{ .Values.containerPorts.authorization }}.
{{- end }}
{{- end }}
{{- if not .Values.validate.enabled }}

validate.enabled is false: a mistake in the configuration shows only when a pod does not start.
{{- end }}
{{- if and (eq .Values.mode "sidecar") (not .Values.networkPolicy.enabled) }}

networkPolicy.enabled is false: unless the app listens on 127.0.0.1 only, every pod of the cluster can bypass the gateway.
{{- end }}
{{- end -}}
