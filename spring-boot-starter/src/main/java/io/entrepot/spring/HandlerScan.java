package io.entrepot.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods that want files, also of beans that are made only when they are needed. */
record HandlerScan(ConfigurableListableBeanFactory beans, HandlerSettings settings) {

    /** @throws EntrepotSetupException for the first that cannot be handed any */
    List<HandlerMethod> find() {
        List<HandlerMethod> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name)
                    ? null
                    : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, FileHandler.class)) {
                annotated(type).forEach((method, annotation) -> found.add(handler(name, type, method, annotation)));
            }
        }
        return List.copyOf(found);
    }

    private static Map<Method, FileHandler> annotated(Class<?> type) {
        return MethodIntrospector.selectMethods(type, new MethodIntrospector.MetadataLookup<FileHandler>() {
            @Override
            public @Nullable FileHandler inspect(Method method) {
                return AnnotatedElementUtils.findMergedAnnotation(method, FileHandler.class);
            }
        });
    }

    private HandlerMethod handler(String bean, Class<?> type, Method method, FileHandler annotation) {
        String name = bean + "." + method.getName();
        if (!beans.isSingleton(bean)) {
            throw new EntrepotSetupException("@FileHandler on " + name + " is on a bean that is not a singleton.",
                    "Move the method to a singleton: files come for as long as the application runs.");
        }
        Object instance = beans.getBean(bean);
        try {
            return new HandlerMethod(name, instance, AopUtils.selectInvocableMethod(method, instance.getClass()),
                    settings.of(annotation, name));
        } catch (IllegalStateException e) {
            throw new EntrepotSetupException("@FileHandler on " + name + " cannot be called through the proxy of "
                    + type.getName() + ": " + e.getMessage(),
                    "Make the method public, and a part of the interface if the proxy is one of interfaces.", e);
        }
    }
}
