# A warm Python: is started once, then forks a process for each job, a little before it is needed. Runs inside the
# containment, with the launcher's socket as descriptor 3; its arguments are the path of yardmaster-warm.so and that of
# the script, which is the same for each job. It begins with no more than an interpreter has anyway and imports what its
# jobs import, once: the less there is and the less a job touches of it, the cheaper is a fork. The forks and the job's
# own steps are in that module (core/worker/warm/fork_server.cpp); here is what it needs of Python.
import _imp, atexit, gc, io, os, sys


class Module:
    name = 'yardmaster_warm'
    origin = sys.argv[1]


warm = _imp.create_dynamic(Module)
script_path = sys.argv[2]


def failed(kind, value, trace):
    # Shows the exception that ended a script; returns the exit code.
    value = value.with_traceback(trace)
    if isinstance(value, SystemExit):
        if value.code is None:
            return 0
        if isinstance(value.code, int):
            return value.code & 0xff
        print(value.code, file=sys.stderr)
        return 1
    sys.excepthook(kind, value, trace)
    if isinstance(value, KeyboardInterrupt):
        import signal
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return 1


def finish():
    # As an interpreter ends: threads, atexit, open files, then the streams.
    threading = sys.modules.get('threading')
    if threading is not None:
        threading._shutdown()
    atexit._run_exitfuncs()
    scope.clear()
    # What the job made is young unless it has been collected before; looking at all of it would copy more pages.
    gc.collect(2 if gc.get_objects(1) or gc.get_objects(2) else 0)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass


def main_module():
    module = type(sys)('__main__')
    module.__file__ = script_path
    module.__builtins__ = __builtins__
    sys.modules['__main__'] = module
    sys.argv[:] = [script_path]
    sys.path[0] = os.path.dirname(script_path)
    return module


def rehearse(times):
    # What Python makes at the first use, a fork has then for nothing.
    stdout, content = sys.stdout, dict(scope)
    with io.TextIOWrapper(open(os.devnull, 'wb', 0), write_through=True) as sys.stdout:
        for _ in range(times):
            warm.run(b'print(1)', os.fsencode(script_path))
            finish()
            scope.update(content)
    sys.stdout = stdout


def learn(names):
    for name in names.decode().split(','):
        try:
            __import__(name)
        except BaseException:
            pass # the job will see for itself


os.environ._data.pop(b'LD_BIND_NOW', None)
main = main_module()
scope = main.__dict__
warm.prepare(os.environ._data, scope, failed, finish)
rehearse(20)
while True:
    gc.collect()
    gc.freeze()
    learn(warm.serve())
