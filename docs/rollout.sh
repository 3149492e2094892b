#!/bin/sh
# Two presses move to line 3: their custom information, the alert, its message and its channel.
set -eu
for press in press-0001 press-0002; do
  iiot devices custom-info set "$press" line=3 "owner=Night shift"
done
iiot policies update aaaaaaaa-0000-4000-8000-000000000001 --delay 5m -o id
iiot templates update template_001 --subject "Line 3 is hot" -o id
iiot channels update channel_email --enabled -o id
echo "$(iiot orgs users list --role admin -o id | wc -l) administrators can see it"
