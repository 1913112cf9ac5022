#!/usr/bin/env bash
# Starts a Spark cluster on this machine: a master and two workers, each a process of its
# own, or stops it. Needs Java 17 and the package pyspark (pip install 'pyspark[sql]>=4').
#
#   examples/spark/cluster.sh start FOLDER    prints the address of the master
#   examples/spark/cluster.sh stop FOLDER
#
# FOLDER keeps logs and process ids. PYTHON, PORT, CORES and MEMORY (of each worker) may be set.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command=${1:?start or stop} folder=${2:?a folder for logs}
python=${PYTHON:-python3} port=${PORT:-7077}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

case $command in
start)
    SPARK_HOME=$("$python" -c 'import pyspark; print(pyspark.__path__[0])')
    export SPARK_HOME PYSPARK_PYTHON=$python SPARK_LOCAL_IP=127.0.0.1
    run() { # NAME CLASS ARGUMENTS…
        name=$1
        shift
        nohup "$SPARK_HOME/bin/spark-class" "$@" >"$folder/$name.log" 2>&1 </dev/null &
        echo $! >"$folder/$name.pid"
    }
    wait_for() { # NAME TEXT: until the log has the text, as long as the process lives
        until grep -q "$2" "$folder/$1.log"; do
            if ! kill -0 "$(cat "$folder/$1.pid")" 2>/dev/null; then
                tail -n 20 "$folder/$1.log" >&2
                echo "the $1 ended" >&2
                exit 1
            fi
            sleep 0.5
        done
    }
    run master org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0
    wait_for master 'Starting Spark master'
    for worker in worker1 worker2; do
        run "$worker" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 --cores "${CORES:-1}" \
            --memory "${MEMORY:-1g}" --work-dir "$folder/$worker" "spark://127.0.0.1:$port"
    done
    for worker in worker1 worker2; do
        wait_for "$worker" 'Successfully registered with master'
    done
    echo "spark://127.0.0.1:$port"
    ;;
stop)
    for pid in "$folder"/*.pid; do
        kill "$(cat "$pid")" 2>/dev/null || true
        rm -f "$pid"
    done
    ;;
*)
    echo "want start or stop" >&2
    exit 2
    ;;
esac
