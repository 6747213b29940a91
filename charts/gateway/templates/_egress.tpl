{{/* The TCP ports that the gateway connects to, in order and once: HTTPS, upstreams beyond the pod, the session store. */}}
{{- define "gateway.egressPorts" -}}
{{- $ports := list 443 -}}
{{- $targets := list -}}
{{- with .Values.config.upstream -}}{{- $targets = append $targets (toString .) -}}{{- end -}}
{{- range default (list) .Values.config.routes -}}{{- with .upstream -}}{{- $targets = append $targets (toString .) -}}{{- end -}}{{- end -}}
{{- range $targets -}}
{{- if regexMatch "^[a-z0-9+]+://" . -}}
{{- $scheme := regexFind "^[a-z0-9+]+" . -}}
{{- $default := ternary 443 80 (eq $scheme "https") -}}
{{- $authority := . | trimPrefix (printf "%s://" $scheme) | splitList "/" | first | splitList "@" | last -}}
{{- range $host := splitList "," $authority -}}
{{- if not (regexMatch "^(127\\.|localhost(:|$)|\\[::1\\])" $host) -}}
{{- $port := regexFind ":[0-9]+$" $host -}}
{{- $ports = append $ports (ternary (trimPrefix ":" $port | int) $default (ne $port "")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $store := include "gateway.sessionStoreURL" . -}}
{{- if and (hasPrefix "redis" $store) (not (hasPrefix "redis+unix" $store)) -}}
{{- $isSentinel := contains "+sentinel://" $store -}}
{{- /* A reference or a password may hold a slash. */ -}}
{{- $authority := regexReplaceAll "\\$\\{[^}]*\\}" $store "" | splitList "@" | last | splitList "://" | last | splitList "/" | first -}}
{{- range $host := splitList "," $authority -}}
{{- if not (regexMatch "^(127\\.|localhost(:|$)|\\[::1\\])" $host) -}}
{{- $port := regexFind ":[0-9]+$" $host -}}
{{- $ports = append $ports (ternary (trimPrefix ":" $port | int) (ternary 26379 6379 $isSentinel) (ne $port "")) -}}
{{- end -}}
{{- end -}}
{{- /* The servers that Sentinels name. */ -}}
{{- if $isSentinel -}}{{- $ports = append $ports 6379 -}}{{- end -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}

{{/* The host of `config.server.publicURL`, without a port: the default of ingress and httpRoute. */}}
{{- define "gateway.publicHost" -}}
{{- $url := toString (default "" (default (dict) .Values.config.server).publicURL) -}}
{{- if contains "${" $url -}}{{- else -}}
{{- regexReplaceAll "^https?://([^/:]+|\\[[^]]*\\])(:[0-9]+)?$" $url "${1}" -}}
{{- end -}}
{{- end -}}
