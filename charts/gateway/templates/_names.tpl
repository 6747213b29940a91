{{- define "gateway.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "gateway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{- define "gateway.chart" -}}
{{- printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What selects the gateway's pods; never changes, because a Deployment's selector cannot. */}}
{{- define "gateway.selectorLabels" -}}
app.kubernetes.io/name: {{ include "gateway.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: gateway
{{- end -}}

{{/* Labels of objects that are not the gateway's pods: (list context component). */}}
{{- define "gateway.componentLabels" -}}
{{- $context := index . 0 -}}
helm.sh/chart: {{ include "gateway.chart" $context }}
app.kubernetes.io/name: {{ include "gateway.name" $context }}
app.kubernetes.io/instance: {{ $context.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
app.kubernetes.io/version: {{ $context.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: gateway
app.kubernetes.io/managed-by: {{ $context.Release.Service }}
{{- with $context.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gateway.labels" -}}
{{ include "gateway.componentLabels" (list . "gateway") }}
{{- end -}}

{{- define "gateway.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "gateway.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "gateway.image" -}}
{{- include "gateway.check" . -}}
{{- $image := .Values.image -}}
{{- $registry := default $image.registry (.Values.global).imageRegistry -}}
{{- $name := $image.repository -}}
{{- if $registry -}}{{- $name = printf "%s/%s" $registry $image.repository -}}{{- end -}}
{{- if $image.digest -}}{{ $name }}@{{ $image.digest }}{{- else -}}{{ $name }}:{{ default .Chart.AppVersion $image.tag }}{{- end -}}
{{- end -}}

{{- define "gateway.imagePullSecrets" -}}
{{- $secrets := concat (default (list) (.Values.global).imagePullSecrets) .Values.imagePullSecrets -}}
{{- $list := list -}}
{{- range $secrets -}}
{{- if kindIs "string" . -}}{{- $list = append $list (dict "name" .) -}}{{- else -}}{{- $list = append $list . -}}{{- end -}}
{{- end -}}
{{- with $list | uniq -}}
imagePullSecrets:
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{/* The most replicas that there can be. In the mode `library` the parent chart decides. */}}
{{- define "gateway.maximumReplicas" -}}
{{- if eq .Values.mode "library" -}}1
{{- else if .Values.autoscaling.enabled -}}{{ int .Values.autoscaling.maxReplicas }}
{{- else -}}{{ int .Values.replicaCount }}
{{- end -}}
{{- end -}}

{{/* `env` of a container: the user's, and what tells the gateway's linter how many replicas there are. */}}
{{- define "gateway.env" -}}
{{- $replicas := int (include "gateway.maximumReplicas" .) -}}
{{- if gt $replicas 1 -}}
- name: GATEWAY_REPLICAS
  value: {{ $replicas | quote }}
{{ end -}}
{{- include "gateway.extraEnv" . -}}
{{- end -}}

{{- define "gateway.extraEnv" -}}
{{- with .Values.extraEnv -}}
{{- tpl (toYaml .) $ -}}
{{- end -}}
{{- end -}}

{{/* More than one replica, now or later: what a PodDisruptionBudget and spreading are for. */}}
{{- define "gateway.isReplicated" -}}
{{- if .Values.autoscaling.enabled -}}
{{- if gt (int .Values.autoscaling.minReplicas) 1 -}}true{{- end -}}
{{- else if gt (int .Values.replicaCount) 1 -}}true{{- end -}}
{{- end -}}
