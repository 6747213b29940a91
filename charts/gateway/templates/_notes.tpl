{{/* What NOTES.txt says; a template of its own so that a parent chart can print it and a test can read it. */}}
{{- define "gateway.notes" -}}
{{- $server := default (dict) .Values.config.server -}}
{{- $public := default "https://…" $server.publicURL -}}
{{- $prefix := default "/_gateway" $server.pathPrefix -}}
{{- $name := include "gateway.fullname" . -}}
{{- $namespace := include "gateway.namespace" . -}}
{{- if .Values.existingConfigMap -}}
The configuration comes from the ConfigMap {{ .Values.existingConfigMap }}. For each provider in it, register this redirect URI:

  PUBLIC-URL{{ $prefix }}/callback/PROVIDER-ID
{{- else -}}
Register these redirect URIs, byte for byte, at the providers:
{{ range default (list) .Values.config.providers }}
  {{ .id }}
    redirect URI              {{ $public }}{{ $prefix }}/callback/{{ toString .id | replace "/" "~" }}
    after sign-out, if asked  {{ $public }}{{ $prefix }}/logged-out
{{- else }}
  none: every route is public
{{- end }}
{{- end }}

{{ if eq .Values.mode "library" -}}
This release has no pods of its own: the parent chart includes the gateway by the templates gateway.sidecar.*.
{{- else -}}
Is it well?

  helm test {{ .Release.Name }} --namespace {{ .Release.Namespace }}
  kubectl --namespace {{ $namespace }} port-forward service/{{ $name }}-admin {{ .Values.containerPorts.admin }}
  curl 'http://127.0.0.1:{{ .Values.containerPorts.admin }}/readyz?verbose'
{{- if and (not .Values.ingress.enabled) (not .Values.httpRoute.enabled) (eq .Values.service.type "ClusterIP") }}

Nothing leads to it from outside of the cluster yet: set ingress.enabled or httpRoute.enabled, or send your own proxy to

  {{ ternary "https" "http" (not (empty .Values.tls.existingSecret)) }}://{{ $name }}.{{ $namespace }}.svc:{{ .Values.service.port }}
{{- end }}
{{- if and (not .Values.tls.existingSecret) (not $server.trustedProxies) (not .Values.existingConfigMap) }}

config.server.trustedProxies is empty: the proxy in front is taken for every client's address. Put the network of its pods there.
{{- end }}
{{- end }}
{{- if not .Values.validate.enabled }}

validate.enabled is false: a configuration with mistakes is found only when a pod does not start.
{{- end }}
{{- if and (eq .Values.mode "sidecar") (not .Values.networkPolicy.enabled) }}

networkPolicy.enabled is false: if the app listens on more than 127.0.0.1, any pod of the cluster reaches it past the gateway.
{{- end }}
{{- end -}}
